import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './build/compress-files.ts'
import { drawIcons } from './build/draw-icons.ts'
import { dropReferenceTexts } from './build/drop-reference-texts.ts'
import { keepUsedStyles } from './build/keep-used-styles.ts'
import { listDeclarations } from './build/list-declarations.ts'
import { listHolidayPlaces } from './build/list-holiday-places.ts'
import { namePackages } from './build/name-packages.ts'
import { speakingFiles } from './build/texts/speaking-files.ts'

const here = import.meta.dirname

const forForms = [
  /@mantine\/core\/.*\/(Checkbox|Combobox|MultiSelect|Pill|PillsInput|Radio|Select|Switch|Textarea)\/(?!RadioIcon)/,
  /console\/src\/form\/.*\.tsx$/,
  /packages\/api\/src\/(?!resources\/bulk-limits)/,
]

function isForForms(id: string): boolean {
  return forForms.some(pattern => pattern.test(id))
}

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
      output: {
        codeSplitting: {
          groups: [
            // What several screens share comes in one file: ten requests for the first screen instead of thirty.
            { name: 'base', minShareCount: 6, priority: 2, test: id => !isForForms(id) },
            // What forms share comes in another: the first screen has none.
            {
              name: 'forms',
              minShareCount: 6,
              priority: 1,
              test: isForForms,
              includeDependenciesRecursively: false,
            },
          ],
        },
        // The worker keeps a fixed name, because browsers request it by that name.
        entryFileNames: ({ name }) => (name === 'sw' ? 'console/sw.js' : 'console/[name]-[hash].js'),
      },
    },
  },
  plugins: [
    keepUsedStyles(join(here, 'console/src')),
    speakingFiles(join(here, 'console/src/'), join(here, 'console/texts'), ['es', 'de', 'fr']),
    listDeclarations(),
    dropReferenceTexts(),
    drawIcons(),
    listHolidayPlaces(),
    react(),
    namePackages('@iconify-json/tabler', 'date-holidays'),
    compressFiles(),
  ],
})
