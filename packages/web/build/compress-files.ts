import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const is_text = /\.(html|js|css|svg|json|webmanifest)$/
const least = 512

/**
 * Writes compressed copies beside each file at build time, at the highest compression level. The server then
 * only picks one.
 */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    enforce: 'post',
    configResolved: ({ build }) => {
      folder = build.outDir
    },
    closeBundle: { order: 'post', sequential: true, handler: () => compressFolder(folder) },
  }
}

/** Files are compressed by Node's threads, as many at a time as there are. */
async function compressFolder(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files.filter(file => file.isFile() && is_text.test(file.name))
  await Promise.all(texts.map(file => compress(join(file.parentPath, file.name))))
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < least) return
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
}
