import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { program_dir, type Trial, tryMigrations } from '@gatehouse-access/server'
import about from '../../package.json' with { type: 'json' }
import { backUp } from '../back-up.ts'
import { readBackupConfig } from '../backup-settings.ts'
import { type Command, CommandError, type Input, jsonOption } from '../command.ts'
import { openMigrated } from '../instance.ts'
import { wrongCall } from '../read-arguments.ts'
import { findInstalled, type Installed, requireUnit } from '../upgrade/installed.ts'
import { type Machine, thisMachine } from '../upgrade/machine.ts'
import { findPackage } from '../upgrade/package-file.ts'
import { agree, listLeftSteps, listSteps, requireSound } from '../upgrade/plan.ts'
import { findChosen, removeStage, tryStaged, unpackStage } from '../upgrade/stage.ts'
import { replaceVersion, startAgain, type Upgrade, useInstalled } from '../upgrade/steps.ts'
import { describeTrial, refuseTrial } from '../upgrade/trial.ts'
import { requireRoot } from './service.ts'

export const upgrade: Command = {
  name: 'upgrade',
  parameters: [],
  about: 'Upgrades the service on this machine, or tries whether this version can take over its database.',
  details: [
    '--to: unpacks the new version, tries its migrations on a copy of the schema, makes a backup, starts the new version, and',
    'installs it once it is ready. Otherwise the old one is started again. Interrupted, it can be repeated, and goes on.',
    '--check: run it with the new version. It tries the pending migrations on a copy of the schema and changes nothing.',
  ].join('\n'),
  options: {
    to: {
      type: 'string',
      value: 'FILE',
      about: 'The new version: its .deb or .tgz, as this one was installed, or its version, with --from.',
    },
    from: {
      type: 'string',
      value: 'FOLDER',
      about: 'Where the file of a version is. Defaults to this folder.',
    },
    'without-backup': { type: 'boolean', about: 'Make no backup before.' },
    yes: { type: 'boolean', about: 'Ask nothing.' },
    check: { type: 'boolean', about: 'Only try this version on the database.' },
    json: jsonOption,
  },
  async run(input) {
    const to = input.text('to')
    if ((to !== undefined) === input.flag('check')) throw wrongCall(upgrade, 'takes either --to or --check')
    if (to === undefined) return check(input)
    const installed = findInstalled(program_dir)
    requireRoot('/', 'upgrade')
    await upgradeTo(input, to, installed, thisMachine)
  },
}

async function check({ env, flag, print }: Input): Promise<void> {
  await using instance = await openMigrated(env)
  const trial = await tryMigrations(instance.db, instance.clock.now())
  if (flag('json')) print(JSON.stringify(trial))
  else tell(print, trial)
  refuseTrial(trial)
}

function tell(print: Input['print'], trial: Trial): void {
  for (const line of describeTrial(trial)) print(line)
}

export async function upgradeTo(
  input: Input,
  to: string,
  installed: Installed,
  machine: Machine,
): Promise<void> {
  const { print } = input
  requireUnit(machine)
  const file = await findPackage(machine, installed, to, input.text('from') ?? '.')
  const config = readBackupConfig(input)
  const whole = { machine, installed, file, config, old: about.version, print }
  using _lock = lockUpgrade(machine)
  const chosen = findChosen(machine, installed)
  if (chosen !== undefined && chosen !== file.version)
    throw new CommandError(`An upgrade to ${chosen} was interrupted: finish that one first.`)
  if (chosen === undefined && file.version === about.version) {
    // The last step of an upgrade may have been interrupted.
    if (existsSync(installed.stage)) await useInstalled(whole)
    return print(`${file.version} is installed already.`)
  }
  // One that failed may have been interrupted before the old version ran again.
  if (chosen === undefined && existsSync(installed.stage)) await startAgain(whole)
  await replaceVersion(whole, await (chosen === undefined ? prepare(input, whole) : goOn(input, whole)))
  print(`${file.version} is running.`)
}

/** Does what leaves the running service alone. Returns the backup that was made. */
async function prepare(input: Input, whole: Upgrade): Promise<string | undefined> {
  const { machine, installed, file, config } = whole
  const withBackup = !input.flag('without-backup')
  await requireSound(whole, withBackup)
  await agree(input, whole, listSteps(whole, withBackup))
  try {
    await unpackStage(machine, installed, file)
    tell(input.print, await tryStaged(machine, installed, input.env))
    return withBackup ? await backUpFor(input, config) : undefined
  } catch (error) {
    removeStage(installed)
    throw error
  }
}

async function backUpFor(input: Input, config: Upgrade['config']): Promise<string> {
  const { id, kind } = await backUp(input, config)
  input.print(`Made the ${kind} backup ${id}.`)
  return id
}

async function goOn(input: Input, whole: Upgrade): Promise<undefined> {
  await agree(input, whole, listLeftSteps())
}

/** The kernel releases the lock when the process ends, however it ends. */
function lockUpgrade({ root }: Machine): Disposable {
  const lock = new DatabaseSync(`${root.replace(/\/$/, '')}/run/gatehouse-upgrade.lock`)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new CommandError('Another upgrade is under way on this machine.', { cause })
  }
  return { [Symbol.dispose]: () => lock.close() }
}
