import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { namePackages } from './build/name-packages.ts'
import { speakingPages } from './build/speaking-pages.ts'

const here = import.meta.dirname

/** The guest page for phones at the door: one small page. */
export default defineConfig({
  root: join(here, 'guest'),
  base: '/guest/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(here, 'dist/guest'),
    emptyOutDir: true,
    reportCompressedSize: false,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: join(here, 'guest/index.html'), sw: join(here, 'guest/src/service-worker.ts') },
      // The worker keeps a fixed name, because browsers request it by that name.
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  plugins: [speakingPages(join(here, 'guest/texts')), namePackages(), compressFiles()],
})
