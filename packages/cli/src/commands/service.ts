import { join } from 'node:path'
import { type Command, CommandError, type Input, jsonOption, type Option } from '../command.ts'
import { installService, uninstallService } from '../service/install.ts'
import { isSystemdRunning, systemctl } from '../service/systemd.ts'
import type { UnitName } from '../service/unit.ts'
import { readSettings, settingsPath } from '../settings-file.ts'

const edge: Option = {
  type: 'boolean',
  about: 'The controller of a building instead: gatehouse-edge.service.',
}
export const rootOption: Option = {
  type: 'string',
  value: 'DIR',
  about: 'Prepare the machine in this folder instead of this one; nothing is started.',
}

function unitOf({ flag }: Input): UnitName {
  return flag('edge') ? 'gatehouse-edge' : 'gatehouse'
}

/** Writing to /etc and creating accounts takes root. */
export function requireRoot(root: string, command: string): void {
  if (root === '/' && process.getuid?.() !== 0)
    throw new CommandError(`gatehouse ${command} changes this machine: run it as root, or with --root DIR.`)
}

export const serviceInstall: Command = {
  name: 'service install',
  parameters: [],
  about: 'Lets systemd run the service: writes the unit, enables and starts it.',
  options: { edge, root: rootOption },
  async run(input) {
    const root = input.text('root') ?? '/'
    requireRoot(root, 'service install')
    const name = unitOf(input)
    const folders = name === 'gatehouse' ? otherFolders(readSettings(join(root, settingsPath))) : []
    await installService({ name, root, folders, print: input.print })
  },
}

const usual = '/var/lib/gatehouse'

/** The folders in the settings that the unit does not allow by itself. */
export function otherFolders(settings: Readonly<Record<string, string>>): string[] {
  const { GATEHOUSE_DATA_DIR: data, GATEHOUSE_BACKUP_DIR: backup, GATEHOUSE_CHECKPOINT_DIR = '' } = settings
  const all = [data, backup, ...GATEHOUSE_CHECKPOINT_DIR.split(',')].map(path => path?.trim())
  return all.filter(path => path !== undefined && path !== '' && path !== usual) as string[]
}

export const serviceUninstall: Command = {
  name: 'service uninstall',
  parameters: [],
  about: 'Stops the service and removes its unit. Settings and data stay.',
  options: { edge, root: rootOption },
  async run(input) {
    const root = input.text('root') ?? '/'
    requireRoot(root, 'service uninstall')
    await uninstallService({ name: unitOf(input), root, print: input.print })
  },
}

const shown = 'ActiveState,SubState,MainPID,NRestarts,ActiveEnterTimestamp,MemoryCurrent'

export const serviceStatus: Command = {
  name: 'service status',
  parameters: [],
  about: 'Says whether systemd runs the service. Exits with 1 if it does not.',
  options: { edge, json: jsonOption },
  async run(input) {
    const name = unitOf(input)
    if (!isSystemdRunning()) throw new CommandError('systemd does not run this machine.')
    const text = await systemctl('show', name, `--property=${shown}`)
    const state = Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map(line => line.split(/=(.*)/s).slice(0, 2)),
    )
    const isActive = state.ActiveState === 'active'
    const since = isActive ? ` since ${state.ActiveEnterTimestamp}, process ${state.MainPID}` : ''
    const sentence = `${name} is ${state.ActiveState} (${state.SubState})${since}, restarted ${state.NRestarts} times.`
    input.print(input.flag('json') ? JSON.stringify({ id: name, is_active: isActive, ...state }) : sentence)
    if (!isActive) input.exitWith(1)
  },
}
