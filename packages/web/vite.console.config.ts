import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { drawIcons } from './build/draw-icons.ts'
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
      // What several screens share comes in one file: ten requests for the first screen instead of thirty.
      output: { codeSplitting: { groups: [{ name: 'base', minShareCount: 4 }] } },
    },
  },
  plugins: [
    drawIcons(),
    listHolidayPlaces(),
    react(),
    namePackages('@iconify-json/tabler', 'date-holidays'),
    compressFiles(),
  ],
})
