import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command.ts'
import { placesOf } from '../service/unit.ts'
import type { Machine } from './machine.ts'

/** How this program was installed, and where what the upgrade needs lies beside it. */
export interface Installed {
  readonly by: 'debian' | 'npm'
  /** Of npm: the folder that has `bin` and `lib`. */
  readonly prefix: string
  /** Where the new version is unpacked and first runs from. */
  readonly stage: string
  /** The command of the new version there. */
  readonly staged: string
}

const npmPlace = /^(.*)\/lib\/node_modules\/@gatehouse-access\/gatehouse$/

/** Tells how the program in a folder was installed. Throws a sentence with what to do where no file upgrades it. */
export function findInstalled(program_dir: string): Installed {
  if (program_dir === '/usr/lib/gatehouse') return beside('debian', '/usr', 'usr/lib/gatehouse/bin/gatehouse')
  const [, prefix] = npmPlace.exec(program_dir) ?? []
  if (prefix !== undefined) return beside('npm', prefix, 'bin/gatehouse')
  throw new CommandError(
    `${program_dir} was not installed by a Debian or a global npm package: stop the service, replace the program (in a checkout by git pull, in a container by the new image), and start it; it migrates by itself.`,
  )
}

function beside(by: Installed['by'], prefix: string, command: string): Installed {
  const stage = join(prefix, 'lib/gatehouse-next')
  return { by, prefix, stage, staged: join(stage, command) }
}

/** Throws unless systemd runs the service from a unit of ours. */
export function requireUnit({ root }: Machine): void {
  const { unit, packaged } = placesOf('gatehouse', root)
  if (existsSync(join(root, 'run/systemd/system')) && [unit, ...packaged].some(existsSync)) return
  throw new CommandError(
    'systemd does not run the service here: stop it, install the new version, and start it; or let systemd run it first (gatehouse service install).',
  )
}

/** The folder of the program that was unpacked. */
export function programOf({ by, stage }: Installed): string {
  return join(stage, by === 'debian' ? 'usr/lib/gatehouse' : 'lib/node_modules/@gatehouse-access/gatehouse')
}
