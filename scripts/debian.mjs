// Finds a program, or gets it from Debian's packages: installed as root, else unpacked below `.cache` without touching the
// system. Plain JavaScript for Node 20 and newer: it runs before anything is installed.
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
 * The path of a program that runs, found or installed. `wanted` says: `title`, for people; `names` it may have in the PATH; `packages` of Debian;
 * `program`, where it lies in them; `check`, flags with which it ends at once; and optionally `files` that are
 * written beside it and `variables` for its environment, in which $here is the folder.
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

// Daemons lie in sbin, which is not in everybody's PATH.
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

// The folder appears whole or not at all: a run that was cut off leaves only the draft.
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

// Nothing in it names the folder, so that it works before and after the renaming.
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

// Some programs end with an error after showing their help; one that lacks a library does not even begin (127).
function requireThatItRuns(program, { title, check }) {
  const { status } = spawnSync(program, check, { stdio: ['ignore', 'ignore', process.stderr] })
  if (status === null || status >= 126) throw new Error(`The ${title} of Debian does not run here.`)
}

function findLibraries(draft) {
  const files = readdirSync(draft, { recursive: true, withFileTypes: true })
  const folders = files.filter(file => /\.so(\.|$)/.test(file.name)).map(file => file.parentPath)
  return [...new Set(folders)]
}

// Where there is no network that shall show soon.
const patience = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']

function apt(flags) {
  run('apt-get', ['-qq', ...patience, ...flags])
}

// What the tools have to say goes to the error output: the path is all that is printed.
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
