import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
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

function compressFolder(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of files)
    if (file.isFile() && is_text.test(file.name)) compress(join(file.parentPath, file.name))
}

function compress(path: string): void {
  const bytes = readFileSync(path)
  if (bytes.length < least) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}
