import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CommandError } from '../command.ts'
import { wrongCall } from '../read-arguments.ts'
import type { Installed } from './installed.ts'
import type { Machine } from './machine.ts'

/** The file of a new version. */
export interface PackageFile {
  readonly path: string
  readonly version: string
}

const kinds = {
  debian: { ending: '.deb', package: 'gatehouse' },
  npm: { ending: '.tgz', package: '@gatehouse-access/gatehouse' },
} as const
const architecture = process.arch === 'x64' ? 'amd64' : process.arch

/** Finds the new version: a file, or a version whose file is in a folder. Nothing is downloaded. */
export async function findPackage(
  machine: Machine,
  { by }: Pick<Installed, 'by'>,
  to: string,
  folder: string,
): Promise<PackageFile> {
  const { ending, package: wanted } = kinds[by]
  const path = resolve(/\.(deb|tgz)$/.test(to) ? to : join(folder, fileOf(by, to)))
  if (!path.endsWith(ending))
    throw new CommandError(
      `This program was installed by a package ending in ${ending}, so ${path} cannot upgrade it.`,
    )
  if (!existsSync(path))
    throw new CommandError(
      `There is no file ${path}: give the path of the new package, or with --from the folder that it is in.`,
    )
  const found = await (by === 'debian' ? readDebian(machine, path) : readTarball(machine, path))
  if (found.name !== wanted)
    throw new CommandError(`${path} is the package ${found.name}, and not ${wanted}.`)
  if (by === 'debian' && found.architecture !== architecture)
    throw new CommandError(`${path} is for ${found.architecture}, and this machine is ${architecture}.`)
  return { path, version: found.version }
}

/** The name that `npm run release` gives the file of a version. */
function fileOf(by: Installed['by'], version: string): string {
  if (!/^\d[\w.+~-]*$/.test(version))
    throw wrongCall(
      { name: 'upgrade' },
      `takes a file or a version like 0.2.0 as --to, not ${JSON.stringify(version)}`,
    )
  return by === 'debian' ? `gatehouse_${version}_${architecture}.deb` : `gatehouse-${version}.tgz`
}

interface About {
  readonly name: string
  readonly version: string
  readonly architecture?: string | undefined
}

async function readDebian({ run }: Machine, path: string): Promise<About> {
  const text = await run('dpkg-deb', ['--field', path, 'Package', 'Version', 'Architecture'])
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? ''
  return { name: field('Package'), version: field('Version'), architecture: field('Architecture') }
}

async function readTarball({ run }: Machine, path: string): Promise<About> {
  return JSON.parse(await run('tar', ['-xzOf', path, 'package/package.json']))
}
