// Finds a program or gets it from Debian packages: installed when run as root, otherwise unpacked under
// `.cache` without changing the system. Plain JavaScript for Node 20 and newer, because it runs before
// anything is installed.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, relative } from 'node:path'

/**
 * Returns the path of a working program, found or installed. `wanted` contains: `title`, for messages;
 * `names`, its possible names in the PATH; `packages`, its Debian packages; `program`, its path in them;
 * `check`, flags with which it exits immediately; and optionally `files`, written next to it, and
 * `variables`, for its environment, where $here is the folder.
 */
export async function findOrInstall(root, wanted) {
  return find(root, wanted) ?? install(root, wanted)
}

export function find(root, wanted) {
  return findInPath(wanted) ?? findUnpacked(wanted, folderOf(root, wanted))
}

function folderOf(root, { names }) {
  return join(root, '.cache', names[0])
}

// Daemons are in sbin, which is not in every PATH.
function findInPath({ names }) {
  const folders = [...process.env.PATH.split(delimiter), '/usr/local/sbin', '/usr/sbin']
  return folders.flatMap(folder => names.map(name => join(folder, name))).find(isExecutable)
}

function findUnpacked({ names }, folder) {
  const wrapper = join(folder, names[0])
  return isExecutable(wrapper) ? wrapper : undefined
}

export function install(root, wanted) {
  const { title, names } = wanted
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error(`There is no ${title}: install one so that ${names.join(' or ')} is in the PATH.`)
  console.error(`Getting ${title}, which takes up to a minute …`)
  return process.getuid() === 0 ? installForAll(wanted) : unpack(wanted, folderOf(root, wanted))
}

function installForAll(wanted) {
  apt(['update'])
  apt(['install', '--yes', '--no-install-recommends', ...wanted.packages])
  return findInPath(wanted)
}

// The folder appears complete or not at all: an interrupted run leaves only the draft.
function unpack(wanted, folder) {
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  download(wanted, draft)
  const archives = join(draft, 'cache', 'archives')
  const debs = readdirSync(archives).filter(name => name.endsWith('.deb'))
  for (const deb of debs) run('dpkg', ['-x', join(archives, deb), draft])
  for (const name of ['lists', 'cache']) rmSync(join(draft, name), { recursive: true })
  writeWrapper(wanted, draft)
  requireThatItRuns(join(draft, wanted.names[0]), wanted)
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  return findUnpacked(wanted, folder)
}

function download({ packages }, draft) {
  for (const name of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(draft, name), { recursive: true })
  const places = {
    'Dir::State::lists': join(draft, 'lists'),
    'Dir::Cache': join(draft, 'cache'),
    'Debug::NoLocking': '1',
  }
  const options = Object.entries(places).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  apt([...options, 'update'])
  apt([...options, 'install', '--yes', '--download-only', '--no-install-recommends', ...packages])
}

// The wrapper does not contain the folder's path, so that it works before and after the rename.
function writeWrapper({ names, program, variables = {}, files = {} }, draft) {
  const libraries = findLibraries(draft).map(path => `$here/${relative(draft, path)}`)
  const all = { LD_LIBRARY_PATH: libraries.join(':'), ...variables }
  const lines = [
    '#!/bin/sh',
    'here="$(dirname "$(readlink -f "$0")")"',
    ...Object.entries(all).map(([name, value]) => `export ${name}="${value}"`),
    `exec "$here/${program}" "$@"`,
  ]
  for (const [name, text] of Object.entries(files)) writeFileSync(join(draft, name), text)
  writeFileSync(join(draft, names[0]), `${lines.join('\n')}\n`, { mode: 0o755 })
}

// Some programs exit with an error after printing their help. A program that lacks a library does not start
// at all (127).
function requireThatItRuns(program, { title, check }) {
  const { status } = spawnSync(program, check, { stdio: ['ignore', 'ignore', process.stderr] })
  if (status === null || status >= 126) throw new Error(`The ${title} of Debian does not run here.`)
}

function findLibraries(draft) {
  const files = readdirSync(draft, { recursive: true, withFileTypes: true })
  const folders = files.filter(file => /\.so(\.|$)/.test(file.name)).map(file => file.parentPath)
  return [...new Set(folders)]
}

// Fails quickly when there is no network.
const patience = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']

function apt(flags) {
  run('apt-get', ['-qq', ...patience, ...flags])
}

// The tools' output goes to stderr, because only the path is printed to stdout.
function run(program, flags) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync(program, flags, { stdio: ['ignore', process.stderr, process.stderr], env })
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
