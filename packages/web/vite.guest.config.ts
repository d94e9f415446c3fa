import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'

const here = import.meta.dirname

/** The phone at the door: one small page. */
export default defineConfig({
  root: join(here, 'guest'),
  base: '/guest/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: join(here, 'dist/guest'), emptyOutDir: true, target: 'es2022', modulePreload: false },
  plugins: [compressFiles()],
})
