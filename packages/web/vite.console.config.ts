import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { drawIcons } from './build/draw-icons.ts'
import { dropReferenceTexts } from './build/drop-reference-texts.ts'
import { listHolidayPlaces } from './build/list-holiday-places.ts'
import { namePackages } from './build/name-packages.ts'

const here = import.meta.dirname

/** The application for administrators and developers, at the root of the service. */
export default defineConfig({
  root: join(here, 'console'),
  base: '/',
  build: {
    outDir: join(here, 'dist/console'),
    emptyOutDir: true,
    reportCompressedSize: false,
    // `/assets` is reserved for the pages that the server renders.
    assetsDir: 'console',
    target: 'es2022',
    rolldownOptions: {
      input: { index: join(here, 'console/index.html'), sw: join(here, 'console/src/service-worker.ts') },
      // What several screens share comes in one file: ten requests for the first screen instead of thirty.
      output: {
        codeSplitting: { groups: [{ name: 'base', minShareCount: 6 }] },
        // The worker keeps a fixed name, because browsers request it by that name.
        entryFileNames: ({ name }) => (name === 'sw' ? 'console/sw.js' : 'console/[name]-[hash].js'),
      },
    },
  },
  plugins: [
    dropReferenceTexts(),
    drawIcons(),
    listHolidayPlaces(),
    react(),
    namePackages('@iconify-json/tabler', 'date-holidays'),
    compressFiles(),
  ],
})
