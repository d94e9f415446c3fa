import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compressFolder, levels } from '../../packages/web/build/compress-files.ts'
import { bundle, root } from './bundle.ts'
import { declare } from './declarations.ts'
import { writeLicences } from './licences.ts'
import { description, license, pinOf, version } from './lock.ts'
import { databasePackages, nodePackages } from './natives.ts'

/** The contents of one npm package, and the folders of the packages of others inside. */
export interface Tree {
  readonly name: string
  readonly folder: string
  readonly packages: readonly string[]
}

/** The SDK: one module and its types, for every runtime with fetch and WebCrypto. */
export async function makeSdk(folder: string): Promise<Tree> {
  const packages = await bundle({
    entries: { index: 'packages/sdk/src/index.ts' },
    folder,
    target: 'es2022',
    one_file: true,
    ending: 'js',
  })
  if (packages.length > 0) throw new Error(`the SDK contains ${packages.join(', ')}, but must stand alone`)
  writeFileSync(join(folder, 'index.d.ts'), declare('packages/sdk/src/index.ts'))
  copy(folder, ['LICENSE'])
  cpSync(join(root, 'packages/sdk/README.md'), join(folder, 'README.md'))
  writeManifest(folder, {
    name: '@gatehouse-access/sdk',
    description: 'Typed client of Gatehouse, an open cloud for physical access control.',
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    sideEffects: false,
  })
  return { name: 'gatehouse-sdk', folder, packages }
}

/** What the service reads beside its code, at the paths of the checkout. */
const assets = [
  'LICENSE',
  'deploy/systemd',
  'packages/server/assets',
  'packages/server/migrations',
  'packages/server/src/http/reference/script.js',
  'packages/server/src/http/reference/style',
  'packages/web/dist/console',
  'packages/web/dist/guest',
]

/** The pages at /docs/guides. */
function guides(): string[] {
  return readdirSync(join(root, 'docs')).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : []))
}

/** The service and its command. The web pages must have been built. */
export async function makeService(folder: string): Promise<Tree> {
  const packages = await bundleProgram(folder, {
    gatehouse: 'packages/cli/src/main.ts',
    'holiday-tables': 'packages/server/src/holidays/holiday-tables.ts',
    'backup-process': 'packages/server/src/backup/backup-process.ts',
  })
  copy(folder, [...assets, ...guides()])
  for (const app of ['console', 'guest'])
    await compressFolder(join(folder, 'packages/web/dist', app), levels.best)
  return finishProgram(
    folder,
    'gatehouse',
    description,
    [...packages, ...packagesOfPages()],
    databasePackages,
  )
}

export async function makeController(folder: string): Promise<Tree> {
  const packages = await bundleProgram(folder, {
    'gatehouse-edge': 'packages/edge/src/main.ts',
    'sqlite-thread': 'packages/edge/src/storage/sqlite-thread.ts',
  })
  copy(folder, ['LICENSE', 'deploy/systemd/gatehouse-edge.service'])
  const about = 'The controller of Gatehouse: decides at the doors of a building, online and offline.'
  return finishProgram(folder, 'gatehouse-edge', about, packages, [])
}

/** The code runs in `lib`, which is to the package what it would be to the checkout. */
function bundleProgram(folder: string, entries: Record<string, string>): Promise<string[]> {
  return bundle({ entries, folder: join(folder, 'lib'), runs_in: join(root, 'lib') })
}

function finishProgram(
  folder: string,
  name: string,
  about: string,
  packages: readonly string[],
  natives: readonly string[],
): Tree {
  const inside = [...new Set(packages)].sort()
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'deploy/npm', name), join(folder, 'bin', name))
  chmodSync(join(folder, 'bin', name), 0o755)
  writeLicences(folder, inside)
  writeProgramManifest(folder, name, about, [...nodePackages, ...natives])
  return { name, folder, packages: inside }
}

/** npm installs the Node and the PostgreSQL of its machine, in the versions that the lock file pins. */
function writeProgramManifest(folder: string, name: string, about: string, natives: readonly string[]): void {
  const pins = natives.map(native => [native, pinOf(`node_modules/${native}`).version])
  writeManifest(folder, {
    name: `@gatehouse-access/${name}`,
    description: about,
    os: ['linux', 'darwin'],
    bin: { [name]: `bin/${name}` },
    optionalDependencies: Object.fromEntries(pins),
  })
}

function writeManifest(
  folder: string,
  { name, description: about, ...rest }: { name: string; description: string; [field: string]: unknown },
): void {
  const whole = {
    name,
    version,
    description: about,
    license,
    type: 'module',
    engines: { node: '>=20' },
    ...rest,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`)
}

/** Copies files and folders to the same paths. Names with a dot are notes of the build. */
function copy(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: source => !/\/\.(built|packages)$/.test(source),
    })
  }
}

function packagesOfPages(): string[] {
  return ['console', 'guest'].flatMap(app =>
    JSON.parse(readFileSync(join(root, 'packages/web/dist', app, '.packages'), 'utf8')),
  )
}
