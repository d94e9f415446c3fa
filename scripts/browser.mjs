// Finds a Chromium, or gets Debian's: installed as root, else unpacked below `.cache` without touching the system.
import { execFileSync } from 'node:child_process'
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

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
// Without a font every page is empty boxes.
const packages = ['chromium', 'fonts-liberation']
const fonts = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** The path of a Chromium that runs. */
export async function findOrInstallBrowser(root) {
  const unpacked = join(root, '.cache', 'chromium')
  return findInPath() ?? findUnpacked(unpacked) ?? install(unpacked)
}

function findInPath() {
  const folders = process.env.PATH.split(delimiter)
  return folders.flatMap(folder => names.map(name => join(folder, name))).find(isExecutable)
}

function findUnpacked(folder) {
  const wrapper = join(folder, 'chromium')
  return isExecutable(wrapper) ? wrapper : undefined
}

function install(folder) {
  if (!existsSync('/usr/bin/apt-get'))
    throw new Error(`There is no Chromium: install one so that ${names.join(' or ')} is in the PATH.`)
  console.error('Getting Chromium, which takes about a minute …')
  return process.getuid() === 0 ? installForAll() : unpack(folder)
}

function installForAll() {
  apt(['update'])
  apt(['install', '--yes', '--no-install-recommends', ...packages])
  return findInPath()
}

// The folder appears whole or not at all: a run that was cut off leaves only the draft.
function unpack(folder) {
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  download(draft)
  const archives = join(draft, 'cache', 'archives')
  const debs = readdirSync(archives).filter(name => name.endsWith('.deb'))
  for (const deb of debs) run('dpkg', ['-x', join(archives, deb), draft])
  for (const name of ['lists', 'cache']) rmSync(join(draft, name), { recursive: true })
  writeWrapper(draft)
  run(join(draft, 'chromium'), ['--version'])
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  return findUnpacked(folder)
}

function download(draft) {
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
function writeWrapper(draft) {
  const libraries = findLibraries(draft).map(path => `$here/${relative(draft, path)}`)
  const lines = [
    '#!/bin/sh',
    'here="$(dirname "$(readlink -f "$0")")"',
    `export LD_LIBRARY_PATH="${libraries.join(':')}"`,
    'export FONTCONFIG_FILE="$here/fonts.conf"',
    'exec "$here/usr/lib/chromium/chromium" "$@"',
  ]
  writeFileSync(join(draft, 'fonts.conf'), fonts)
  writeFileSync(join(draft, 'chromium'), `${lines.join('\n')}\n`, { mode: 0o755 })
}

function findLibraries(draft) {
  const files = readdirSync(draft, { recursive: true, withFileTypes: true })
  const folders = files.filter(file => /\.so(\.|$)/.test(file.name)).map(file => file.parentPath)
  return [...new Set(folders)]
}

function apt(flags) {
  run('apt-get', ['-qq', ...flags])
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
