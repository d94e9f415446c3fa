import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries, type Trial } from '@gatehouse-access/server'
import { placesOf } from '../service/unit.ts'
import { writeFile } from '../service/write-file.ts'
import { type Installed, programOf } from './installed.ts'
import type { Machine } from './machine.ts'
import type { PackageFile } from './package-file.ts'

/** Unpacks the new version beside the old one. It has its name only once it is whole. */
export async function unpackStage(machine: Machine, { by, stage }: Installed, file: PackageFile) {
  const draft = `${stage}.partial`
  for (const path of [stage, draft]) rmSync(path, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o755 })
  if (by === 'debian') await machine.run('dpkg-deb', ['--extract', file.path, draft])
  else await machine.run('npm', [...npmFlags(draft), file.path])
  renameSync(draft, stage)
}

function npmFlags(prefix: string): string[] {
  return ['install', '--global', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', prefix]
}

/** Lets the new version try its migrations on a copy of the schema. Throws its sentence if it cannot take over. */
export async function tryStaged(
  machine: Machine,
  { staged }: Installed,
  env: NodeJS.ProcessEnv,
): Promise<Trial> {
  return JSON.parse(await machine.run(staged, ['upgrade', '--check', '--json'], env))
}

/** Returns the version that an interrupted upgrade lets systemd start, or undefined. */
export function findChosen(machine: Machine, installed: Installed): string | undefined {
  if (!existsSync(dropIn(machine))) return undefined
  try {
    return JSON.parse(readFileSync(join(programOf(installed), 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/**
 * Lets systemd start the new version from where it was unpacked. The installed one stays as it is; its PostgreSQL
 * reads the database if the new version brings a newer one.
 */
export async function chooseStaged(machine: Machine, { staged }: Installed): Promise<void> {
  const lines = [
    '# Of an upgrade that goes on: gatehouse upgrade removes it.',
    '[Service]',
    `Environment=${quote(`GATEHOUSE_OLD_POSTGRES=${await findBinaries(undefined)}`)}`,
    'ExecStart=',
    `ExecStart=${quote(staged)} serve`,
    '',
  ]
  writeFile(dropIn(machine), lines.join('\n'), 0o644)
  await machine.run('systemctl', ['daemon-reload'])
}

/** Lets systemd start what is installed. */
export async function chooseInstalled(machine: Machine): Promise<void> {
  rmSync(dropIn(machine), { force: true })
  await machine.run('systemctl', ['daemon-reload'])
}

/** Replaces the installed version. Whatever becomes of this, systemd starts the new one from its stage. */
export async function installFile(machine: Machine, { by, prefix }: Installed, file: PackageFile) {
  if (by === 'npm') return machine.run('npm', [...npmFlags(prefix), file.path])
  // Its script leaves the restart to us.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', GATEHOUSE_UPGRADE: 'true' }
  const flags = ['--yes', '--quiet', '--allow-downgrades', '--option=DPkg::Lock::Timeout=300']
  return machine.run('apt-get', ['install', ...flags, file.path], env)
}

export function removeStage({ stage }: Installed): void {
  rmSync(stage, { recursive: true, force: true })
}

function dropIn({ root }: Machine): string {
  return placesOf('gatehouse', root).upgrade
}

function quote(path: string): string {
  return JSON.stringify(path).replaceAll('%', '%%')
}
