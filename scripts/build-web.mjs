// Builds the web pages whose sources changed since the last build. Plain JavaScript, because set-up calls `isBuilt`
// before the right Node is installed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hashSources } from './source-hash.mjs'

const root = resolve(import.meta.dirname, '..')
const web = join(root, 'packages/web')

const shared = [
  'packages/server/assets/look.css',
  'packages/web/build',
  'packages/web/package.json',
  'package-lock.json',
  'scripts/build-web.mjs',
  'scripts/source-hash.mjs',
]
// Their manifests say that unused modules can be left out.
const libraries = ['core', 'api', 'sdk'].flatMap(name => [
  `packages/${name}/src`,
  `packages/${name}/package.json`,
])
const apps = {
  guest: ['packages/web/guest', 'packages/web/ui', 'packages/web/vite.guest.config.ts', ...shared],
  console: [
    'packages/web/console',
    'packages/web/ui',
    'packages/web/vite.console.config.ts',
    ...libraries,
    ...shared,
  ],
}

export function isBuilt() {
  return Object.keys(apps).every(app => readStamp(app) === hashSources(root, apps[app]))
}

async function buildAll() {
  const { build } = await import('vite')
  for (const app of Object.keys(apps)) {
    const hash = hashSources(root, apps[app])
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

if (process.argv[1] === import.meta.filename) await buildAll()
