import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

type Texts = Readonly<Record<string, string>>

/**
 * Builds one page for each language, with script, style and texts inlined, so that the server's first
 * response contains the whole first screen. Writes the hashes of script and style to `policy.json`, so that
 * the server allows no other inline code.
 */
export function speakingPages(texts_folder: string): Plugin {
  let folder = ''
  return {
    name: 'speaking-pages',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir
    },
    closeBundle: { order: 'pre', sequential: true, handler: () => writePages(folder, texts_folder) },
  }
}

function writePages(folder: string, texts_folder: string): void {
  const hashes: Record<string, string> = {}
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  for (const file of readdirSync(texts_folder)) {
    const language = basename(file, '.json')
    const texts = JSON.parse(readFileSync(join(texts_folder, file), 'utf8')) as Texts
    // Inserts the texts first, because the script must not change after it is hashed.
    const spoken = inlineFiles(speak(page, language, texts), folder, hashes)
    writeFileSync(join(folder, `index.${language}.html`), spoken)
  }
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(hashes))
  rmSync(join(folder, 'index.html'))
}

function inlineFiles(page: string, folder: string, hashes: Record<string, string>): string {
  const read = (url: string) => readFileSync(join(folder, url.replace(/^\/guest\//, '')), 'utf8').trim()
  return page
    .replace(/\s*<script type="module"[^>]* src="([^"]+)"><\/script>/, '')
    .replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, (_tag, url) => {
      const style = read(url)
      hashes.style = hashOf(style)
      return `<style>${style}</style>`
    })
    .replace('</body>', () => {
      const [, url = ''] = /<script type="module"[^>]* src="([^"]+)">/.exec(page) ?? []
      const script = read(url).replaceAll('</script', '<\\/script')
      hashes.script = hashOf(script)
      return `<script type="module">${script}</script></body>`
    })
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function speak(page: string, language: string, texts: Texts): string {
  return page
    .replace('lang="en" dir="ltr"', `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
    .replace(/\{\{(\w+)\}\}/g, (_gap, name) => texts[name] ?? '')
    .replace('>"texts"<', () => `>${JSON.stringify(texts).replaceAll('<', '\\u003c')}<`)
    .replace(/>\s+</g, '><')
}
