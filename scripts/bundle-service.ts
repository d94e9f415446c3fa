import { join } from 'node:path'
import { bundle, root } from './release/bundle.ts'

/**
 * Compiles the service of this checkout into one file, which starts in half the time of its sources. Returns
 * the path of the file. Concurrent calls need folders of their own.
 */
export async function bundleService(folder = join(root, 'node_modules/.cache/service')): Promise<string> {
  await bundle({ entries: { main: 'packages/server/src/main.ts' }, folder, one_file: true })
  return join(folder, 'main.mjs')
}

if (import.meta.main) console.log(await bundleService())
