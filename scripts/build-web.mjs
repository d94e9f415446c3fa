// Builds the web pages whose sources changed since the last build. Compares hashes of the sources, because
// checkouts and merges make file times meaningless. Plain JavaScript, because set-up calls `isBuilt` before
// the right Node is installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'packages/web')

const shared = [
  'packages/web/build',
  'packages/web/package.json',
  'package-lock.json',
  'scripts/build-web.mjs',
]
const libraries = ['packages/core/src', 'packages/api/src', 'packages/sdk/src']
const apps = {
  guest: ['packages/web/guest', 'packages/web/vite.guest.config.ts', ...shared],
  console: [
    'packages/web/console',
    'packages/web/ui',
    'packages/web/vite.console.config.ts',
    ...libraries,
    ...shared,
  ],
}

export function isBuilt() {
  return Object.keys(apps).every(app => readStamp(app) === hashSources(app))
}

async function buildAll() {
  const { build } = await import('vite')
  for (const app of Object.keys(apps)) {
    const hash = hashSources(app)
    if (readStamp(app) === hash) continue
    await build({ configFile: join(web, `vite.${app}.config.ts`), logLevel: 'warn' })
    writeFileSync(stampOf(app), hash)
  }
}

/** Written last, into the folder that a build empties first, so that an interrupted build leaves no stamp. */
function stampOf(app) {
  return join(web, 'dist', app, '.built')
}

function readStamp(app) {
  return existsSync(stampOf(app)) ? readFileSync(stampOf(app), 'utf8') : undefined
}

function hashSources(app) {
  const hash = createHash('sha256')
  for (const source of apps[app])
    for (const path of listFiles(source))
      hash
        .update(`${path}\0`)
        .update(readFileSync(join(root, path)))
        .update('\0')
  return hash.digest('hex')
}

function listFiles(source) {
  const path = join(root, source)
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(source)) return [source]
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(file => file.slice(root.length + 1)).sort()
}

if (process.argv[1] === import.meta.filename) await buildAll()
