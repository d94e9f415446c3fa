import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { markTexts } from './mark-texts.ts'
import { speak } from './speak.ts'

/** The worker is one file for all languages: the service writes what it shows. */
const unspoken = /\/language\/|\/service-worker\.ts$/

type Texts = Readonly<Record<string, string>>

/**
 * Builds the console in every language: the scripts are built once, with marks around their texts, and written once for
 * each language with its texts. So a page loads one language, and nothing is looked up while it runs.
 */
export function speakingFiles(sources: string, texts_folder: string, languages: readonly string[]): Plugin {
  return {
    name: 'gatehouse-speaking-files',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/ },
      handler: (code, id) =>
        id.startsWith(sources) && !unspoken.test(id) ? { code: markTexts(id, code).code, map: null } : null,
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const language of languages) {
          const path = join(texts_folder, `${language}.json`)
          this.addWatchFile(path)
          const texts = JSON.parse(readFileSync(path, 'utf8')) as Texts
          for (const { name, source } of filesIn(language, texts, bundle))
            this.emitFile({ type: 'asset', fileName: name, source })
        }
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = speak(file.code)
      },
    },
  }
}

interface Spoken {
  readonly name: string
  readonly source: string
}

/** Returns the scripts and the page of a language. The folder has another name when a text changes: files are cached. */
function* filesIn(language: string, texts: Texts, bundle: Rolldown.OutputBundle): Generator<Spoken> {
  const mark = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 8)
  const folder = `console/${language}-${mark}`
  const moved = (text: string) =>
    text.replaceAll(/(["'`/])console\/([\w.-]+\.js)(?=["'`])/g, `$1${folder}/$2`)
  for (const file of Object.values(bundle))
    if (file.type === 'chunk' && file.name !== 'sw')
      yield { name: `${folder}/${basename(file.fileName)}`, source: moved(speak(file.code, texts)) }
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('there is no page')
  const html = String(page.source).replace('<html lang="en">', `<html lang="${language}">`)
  yield { name: `index.${language}.html`, source: moved(html) }
}
