import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, CommandError, type Input, type Option } from '../command.ts'
import { isConfirmed } from '../confirm.ts'
import type { Finding } from '../doctor/check.ts'
import { readPlainConfig } from '../instance.ts'
import { installService } from '../service/install.ts'
import { ensureAccount, isSystemdRunning } from '../service/systemd.ts'
import { writeFile } from '../service/write-file.ts'
import { gatherSettings, plainFlags, questions } from '../set-up/answers.ts'
import { describeDifference } from '../set-up/difference.ts'
import { finish, waitForService } from '../set-up/finish.ts'
import { inspect } from '../set-up/inspect.ts'
import { formatSettings, readSettings, settingsPath } from '../settings-file.ts'
import { otherFolders, requireRoot, rootOption } from './service.ts'

type Settings = Record<string, string>

export const setUp: Command = {
  name: 'set-up',
  parameters: [],
  about: 'Makes this machine a production Gatehouse: settings, TLS, service, first owner.',
  details: [
    'Asks for what is not given by flags, looks at DNS, ports, clock and disk, shows what changes in the settings, writes them to',
    `${settingsPath}, installs the service, and prints the link of the first owner. Run again, it changes only what is different.`,
  ].join('\n'),
  options: {
    ...Object.fromEntries(questions.map(({ flag, ask }) => [flag, text(ask)])),
    ...Object.fromEntries(
      Object.entries(plainFlags).map(([flag, variable]) => [flag, text(`Sets ${variable}.`)]),
    ),
    yes: { type: 'boolean', about: 'Ask nothing.' },
    force: { type: 'boolean', about: 'Go on although something is not as it should be.' },
    root: rootOption,
  },
  async run(input) {
    const root = input.text('root') ?? '/'
    requireRoot(root, 'set-up')
    const path = join(root, settingsPath)
    const before = readSettings(path)
    const after = await gatherSettings(input, before)
    const config = readPlainConfig(within(root, after))
    report(input, await inspect(input, config))
    if (!(await agree(input, path, before, after))) return input.exitWith(3)
    writeFile(path, formatSettings(after), 0o600)
    if (root === '/') await makeFolders(after)
    const { print } = input
    await installService({ name: 'gatehouse', root, folders: otherFolders(after), print })
    if (root !== '/' || !isSystemdRunning())
      return print('Then start it, and run gatehouse users first-link and gatehouse backup key.')
    await waitForService(config)
    print(`${config.public_url} is running.`)
    await finish(input, after)
  },
}

function text(about: string): Option {
  return { type: 'string', value: 'VALUE', about: `${about.replace(/\.?$/, '.')}` }
}

/** In a folder that is prepared, the data folder lies there too. */
function within(root: string, settings: Settings): Settings {
  return { ...settings, GATEHOUSE_DATA_DIR: join(root, settings.GATEHOUSE_DATA_DIR ?? '') }
}

function report({ print, flag }: Input, findings: readonly Finding[]): void {
  for (const { status, message, advice } of findings)
    print(`${status.padEnd(8)} ${message}${advice ? ` ${advice}` : ''}`)
  const failed = findings.filter(({ status }) => status === 'failure')
  if (failed.length > 0 && !flag('force'))
    throw new CommandError('Nothing was changed: mend what failed above and run this again, or add --force.')
}

/** Shows what changes. Changing settings that exist needs a yes. */
async function agree(input: Input, path: string, before: Settings, after: Settings): Promise<boolean> {
  const lines = describeDifference(before, after)
  input.print(lines.length === 0 ? `\n${path} stays as it is.` : `\n${path}:`)
  for (const line of lines) input.print(`  ${line}`)
  if (lines.length === 0 || Object.keys(before).length === 0 || input.flag('yes')) return true
  if (input.terminal.stdout.isTTY) return isConfirmed(input, 'Change these settings and restart the service?')
  input.print('Nothing was changed: add --yes to change these settings.')
  return false
}

/** The account owns the folders that it writes to. Those that exist keep their owner. */
async function makeFolders({ GATEHOUSE_DATA_DIR, GATEHOUSE_BACKUP_DIR }: Settings): Promise<void> {
  const account = await ensureAccount('gatehouse')
  for (const folder of [GATEHOUSE_DATA_DIR, GATEHOUSE_BACKUP_DIR]) {
    if (!folder || mkdirSync(folder, { recursive: true }) === undefined) continue
    chmodSync(folder, 0o700)
    chownSync(folder, account.uid, account.gid)
  }
}
