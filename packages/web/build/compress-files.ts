import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const is_text = /\.(html|js|css|svg|json|webmanifest)$/
const least = 512

/** Levels of brotli. The best takes twelve times as long as the quick one, for 8 % less. */
export const levels = { quick: 8, best: 11 } as const

/** Writes compressed copies beside each file at build time. The server then only picks one. */
export function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    enforce: 'post',
    configResolved: ({ build }) => {
      folder = build.outDir
    },
    closeBundle: { order: 'post', sequential: true, handler: () => compressFolder(folder, levels.quick) },
  }
}

/** Files are compressed by Node's threads, as many at a time as there are. */
export async function compressFolder(folder: string, level: number): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files.filter(file => file.isFile() && is_text.test(file.name))
  await Promise.all(texts.map(file => compress(join(file.parentPath, file.name), level)))
}

async function compress(path: string, level: number): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < least) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
}
