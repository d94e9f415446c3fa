// Installs what the other scripts need: what running takes, and with --tools also what tests, benchmarks and
// releases take. Plain JavaScript for Node 20 and newer, without dependencies, because it runs before anything
// is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { isServiceBuilt } from './build-service.mjs'
import { isBuilt } from './build-web.mjs'

const root = resolve(import.meta.dirname, '..')
const modules = join(root, 'node_modules')
const marker = join(modules, '.gatehouse-installed')
const pinned_node = join(modules, '.bin', 'node')
const manifests = [join(root, 'package-lock.json'), join(root, 'package.json')]
/** Read by npm instead of the lock file while it exists. */
const addressed = join(root, 'npm-shrinkwrap.json')
const folder = 'node_modules/'
const has_tools = existsSync(join(modules, 'vitest'))
// Tools that are there are kept: a start between two test runs removes nothing.
const needs_tools = has_tools || process.argv.includes('--tools')

const unread_parts = [
  'astronomia/lib',
  'astronomia/data/elpMppDeFull.js',
  'date-holidays/data',
  'date-holidays/dist',
  ...['dist', 'locale', 'min', 'src'].map(part => `moment/${part}`),
  'moment-timezone/builds',
  '@mantine/core/cjs',
  'zod/src',
  // Used only by the program of date-holidays that makes its tables.
  ...(needs_tools ? [] : ['lodash']),
]
const unread_file = needs_tools ? /\.map$/ : /\.map$|\.d\.[cm]?ts$|^(readme|changelog|history)[^/]*\.md$/i

// Left by a set-up that was killed.
rmSync(addressed, { force: true })
const is_new = setUp()
// Tests build them while their database starts.
const building = process.argv.includes('--without-pages') ? undefined : buildAtOnce()
// The builds read none of it, and keep the machine only half busy.
if (is_new) removeUnread()
await building
if (process.argv.includes('--browser')) {
  const { findOrInstallBrowser } = await import('./browser.mjs')
  console.log(await findOrInstallBrowser(root).catch(error => fail(error.message)))
}
if (process.argv.includes('--broker')) {
  const { findOrInstallBroker } = await import('./broker.mjs')
  console.log(await findOrInstallBroker(root).catch(error => fail(error.message)))
}
if (process.argv.includes('--authority')) {
  const { findOrInstallPebble } = await import('./pebble.mjs')
  console.log(await findOrInstallPebble(root).catch(error => fail(error.message)))
}

/** Returns whether it installed something. */
function setUp() {
  const hash = hashManifests()
  if (isInstalled(hash) && isNodeRight() && has_tools === needs_tools) return false
  const [what, size] = needs_tools ? ['working on Gatehouse', 510] : ['running Gatehouse', 330]
  console.error(`Installing what ${what} needs, about ${size} MB …`)
  const started_at = performance.now()
  install()
  if (!isNodeRight()) fail(explainNode())
  writeFileSync(marker, hash)
  console.error(`Installed in ${secondsSince(started_at)} s.`)
  return true
}

/**
 * Packages bring 130 MB that nothing here reads: headers for compiling add-ons to Node, source maps, the same code
 * again for other loaders, tables of the moon. Types and notes are read by who works on Gatehouse only.
 */
function removeUnread() {
  const node = wantedNode().name
  for (const part of [`${node}/include`, `${node}/share`, ...unread_parts])
    rmSync(join(modules, part), { recursive: true, force: true })
  // Builds write into folders with a dot.
  for (const name of readdirSync(modules).filter(name => !name.startsWith('.')))
    for (const file of readdirSync(join(modules, name), { recursive: true, withFileTypes: true }))
      if (file.isFile() && unread_file.test(file.name)) unlinkSync(join(file.parentPath, file.name))
}

function secondsSince(started_at) {
  return Math.round((performance.now() - started_at) / 1000)
}

async function buildAtOnce() {
  const scripts = [
    ...(isBuilt() ? [] : ['scripts/build-web.mjs']),
    ...(isServiceBuilt() ? [] : ['scripts/build-service.mjs']),
  ]
  if (scripts.length === 0) return
  console.error('Building what has changed of the web pages and the service …')
  const started_at = performance.now()
  const codes = await Promise.all(
    scripts.map(async script => {
      const child = spawn(pinned_node, [join(root, script)], { cwd: root, stdio: 'inherit' })
      return (await once(child, 'exit'))[0]
    }),
  )
  if (codes.some(code => code !== 0)) fail('Not everything could be built: see above.')
  console.error(`Built in ${secondsSince(started_at)} s.`)
}

function hashManifests() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const path of manifests) hash.update(readFileSync(path))
  return hash.digest('hex')
}

// npm writes its own list last, so a newer list means that a manual installation is complete.
function isInstalled(hash) {
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return true
  const installed_at = modifiedAt(join(modules, '.package-lock.json'))
  return manifests.every(path => modifiedAt(path) < installed_at)
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

// The Node that runs must be the file from the package that the lock file pins with its integrity. Nothing
// else downloads one.
function isNodeRight() {
  const { name, version } = wantedNode()
  const file = join(modules, name ?? '', 'bin', 'node')
  if (!name || !existsSync(pinned_node) || !existsSync(file)) return false
  if (realpathSync(pinned_node) !== realpathSync(file)) return false
  // This script may be running under the previous Node, which the installation has just removed.
  const is_running = existsSync(process.execPath) && realpathSync(file) === realpathSync(process.execPath)
  const found = is_running ? process.version : spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout
  return found?.trim() === `v${version}`
}

/** Returns the package with the Node for this machine; without a name when there is none. */
function wantedNode() {
  const pinned = JSON.parse(readFileSync(manifests[0], 'utf8')).packages
  const names = ['node', 'node-bin'].map(prefix => `${prefix}-${process.platform}-${process.arch}`)
  const name = names.find(candidate => pinned[`node_modules/${candidate}`]?.integrity)
  return { name, version: pinned[`node_modules/${name}`]?.version }
}

function explainNode() {
  const { name, version } = wantedNode()
  return name
    ? `${pinned_node} is not the Node ${version} of the package ${name}: remove ${modules} and start again.`
    : `There is no pinned Node for ${process.platform} on ${process.arch}: Gatehouse runs on Linux and macOS, x64 and arm64.`
}

/**
 * The lock file names no registry, and npm would ask the one it is set to about every package, which answers with all
 * versions ever published: reading that takes as long as unpacking the packages. A copy of the lock file therefore says
 * where registries keep packages. npm reads it first, and puts its own registry in place of the host. One that keeps
 * packages elsewhere is asked after all.
 */
function install() {
  writeFileSync(addressed, JSON.stringify(addPlaces(JSON.parse(readFileSync(manifests[0], 'utf8')))))
  const is_done = runNpm('--replace-registry-host=always')
  rmSync(addressed)
  if (!is_done && !runNpm()) fail('The dependencies could not be installed: npm says why above.')
}

function addPlaces(lock) {
  for (const [path, locked] of Object.entries(lock.packages)) {
    const name = locked.name ?? path.slice(path.lastIndexOf(folder) + folder.length)
    if (path.includes(folder) && locked.integrity)
      locked.resolved = `https://configured.invalid/${name}/-/${basename(name)}-${locked.version}.tgz`
  }
  return lock
}

function runNpm(...more) {
  // The pinned Node is removed while npm runs, so npm runs under the system's Node.
  const path = process.env.PATH.split(delimiter).filter(folder => !folder.startsWith(root))
  const flags = [
    needs_tools ? '--include=dev' : '--omit=dev',
    '--include=optional',
    // Some packages ask for a newer Node than the system's. They get the pinned one.
    '--loglevel=error',
    // The only script of a package makes links that the service makes itself.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    ...more,
  ]
  const env = { ...process.env, PATH: path.join(delimiter) }
  return spawnSync('npm', ['ci', ...flags], { cwd: root, stdio: 'inherit', env }).status === 0
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
