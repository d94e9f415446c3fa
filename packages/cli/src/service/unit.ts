import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type UnitName = 'gatehouse' | 'gatehouse-edge'

const source = new URL('../../../../deploy/systemd/', import.meta.url)

/** Where the files of a unit are, below a root folder that is `/` but in tests. */
export function placesOf(name: UnitName, root: string) {
  return {
    unit: join(root, 'etc/systemd/system', `${name}.service`),
    folders: join(root, 'etc/systemd/system', `${name}.service.d`, 'folders.conf'),
    /** There while an upgrade goes on: names the new version's command. */
    upgrade: join(root, 'etc/systemd/system', `${name}.service.d`, 'upgrade.conf'),
    /** Written by a Debian package, which then also owns the unit. */
    packaged: ['lib', 'usr/lib'].map(lib => join(root, lib, 'systemd/system', `${name}.service`)),
  }
}

/** Returns the unit with the command that is installed here. */
export function describeUnit(name: UnitName, root: string): string {
  const text = readFileSync(new URL(`${name}.service`, source), 'utf8')
  const command = join('/usr/bin', name)
  return existsSync(join(root, command))
    ? text
    : text.replace(`ExecStart=${command}`, `ExecStart=${thisCommand(name)}`)
}

/** The command line of the program that runs now, or of the controller beside it. */
function thisCommand(name: UnitName): string {
  const own = resolve(process.argv[1] ?? '')
  const script =
    name === 'gatehouse' ? own : own.replace('/cli/', '/edge/').replace(/gatehouse$/, 'gatehouse-edge')
  return [process.execPath, script].map(quote).join(' ')
}

/** Lets the service write to folders other than its usual one, which `ProtectSystem=strict` would forbid. */
export function describeFolders(folders: readonly string[]): string {
  const lines = folders.map(folder => `ReadWritePaths=-${quote(folder)}`)
  return ['[Service]', ...lines, ''].join('\n')
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text)
    ? text.replaceAll('%', '%%')
    : JSON.stringify(text).replaceAll('%', '%%')
}
