import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const console_folder = resolve(import.meta.dirname, '../../packages/web/console')
const sources = join(console_folder, 'src')

/** What speaks the language of its user. What is not listed speaks English. */
const converted = [
  'screens.tsx',
  'theme.ts',
  ...[
    'alarm-bell',
    'bottom-bar',
    'live-dot',
    'navigation',
    'organization-switcher',
    'shell',
    'user-menu',
  ].map(name => `shell/${name}.tsx`),
]

type Texts = Record<string, string>

function textsOf(language: string): Texts {
  return JSON.parse(readFileSync(join(console_folder, 'texts', `${language}.json`), 'utf8')) as Texts
}

function sourceOf(name: string): string {
  return readFileSync(join(sources, name), 'utf8')
}

const english = textsOf('en')

test.each(['es', 'de', 'fr'])('every text exists in %s, with the same gaps', language => {
  const texts = textsOf(language)
  const gapsOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).toSorted()
  expect(Object.keys(texts)).toEqual(Object.keys(english))
  const wrong = Object.entries(english).filter(
    ([key, text]) => !texts[key] || gapsOf(texts[key]).join() !== gapsOf(text).join(),
  )
  expect(wrong).toEqual([])
})

test('every text is said somewhere', () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  const code = files
    .filter(name => /\.tsx?$/.test(name))
    .map(sourceOf)
    .join('\n')
  const isSaid = (key: string) => {
    const [room] = key.split('.')
    return code.includes(`'${key}'`) || code.includes(`\`${room}.\${`)
  }
  expect(Object.keys(english).filter(key => !isSaid(key))).toEqual([])
})

test.each(converted)('%s has no literal text', name => {
  expect(literalsIn(sourceOf(name))).toEqual([])
})

test('a literal text is found', () => {
  expect(literalsIn('<p>Some words</p>')).toEqual(['Some words'])
  expect(literalsIn('<p title="Some words" />')).toEqual(['Some words'])
  expect(literalsIn("const choice = { label: 'Some words' }")).toEqual(['Some words'])
  expect(literalsIn("<p>{say('a.b')}</p>")).toEqual([])
})

const patterns = [
  /<\/?[a-zA-Z][^<>=]*>\s*([^<>{}]*[a-zA-Z]{2}[^<>{}]*?)\s*</g,
  /\b(?:aria-label|title|label|placeholder|description|alt|name)="([^"]*[a-zA-Z]{2}[^"]*)"/g,
  /\b(?:'aria-label'|title|label|placeholder|description|name): '([^']*[a-zA-Z]{2}[^']*)'/g,
]

/** Returns what people would read that is not said by key. Code such as `Ctrl K` is the same everywhere. */
function literalsIn(code: string): string[] {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll('Ctrl K', '')
  return patterns.flatMap(pattern => [...bare.matchAll(pattern)].map(([, text = '']) => text))
}
