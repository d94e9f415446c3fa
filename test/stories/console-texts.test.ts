import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Field, type Resource, resources } from '@gatehouse-access/api'
import { describe, expect, test } from 'vitest'
import { listProcessing } from '../../packages/server/src/services/privacy/processing.ts'
import { english } from '../../packages/server/src/texts/english.ts'
import { french } from '../../packages/server/src/texts/french.ts'
import { german } from '../../packages/server/src/texts/german.ts'
import { spanish } from '../../packages/server/src/texts/spanish.ts'
import { markTexts } from '../../packages/web/build/texts/mark-texts.ts'
import { speak } from '../../packages/web/build/texts/speak.ts'
import { fieldWords } from '../../packages/web/console/src/events/field-words.ts'
import { methodWords } from '../../packages/web/console/src/events/method-words.ts'
import { dataWords } from '../../packages/web/console/src/privacy/record-words.ts'
import guestTexts from '../../packages/web/guest/texts/en.json' with { type: 'json' }

const console_folder = resolve(import.meta.dirname, '../../packages/web/console')
const sources = join(console_folder, 'src')
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  name => /\.tsx?$/.test(name) && !name.startsWith('language/') && name !== 'service-worker.ts',
)
const said = new Set(files.flatMap(name => markTexts(name, readFileSync(join(sources, name), 'utf8')).texts))

/** A comma may stand before it: German writes one before `when`. */
const spaceOf = (text: string) => /^,?(\s*)/.exec(text)?.[1]
const gapsOf = (text: string) => [...new Set(text.match(/\{\d+\}/g) ?? [])].toSorted()

test.each(['es', 'de', 'fr'])('the console says everything in %s, with the same gaps', language => {
  const path = join(console_folder, 'texts', `${language}.json`)
  const texts = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  expect([...said].filter(text => !texts[text])).toEqual([])
  expect(Object.keys(texts).filter(text => !said.has(text))).toEqual([])
  const wrong = Object.entries(texts).filter(
    ([text, spoken]) => gapsOf(text).join() !== gapsOf(spoken).join() || spaceOf(text) !== spaceOf(spoken),
  )
  expect(wrong).toEqual([])
})

const read = (folder: string, name: string) => readFileSync(join(import.meta.dirname, folder, name), 'utf8')

test.each([
  ['de', /\b(du|dich|dir|dein\w*)\b/i, ['german']],
  ['fr', /(?<![\p{L}’-])(tu|toi|ton|ta|tes)(?![\p{L}])/iu, ['french']],
  // Guests are addressed as friends in Spanish, users never.
  ['es', /(?<!\p{L})(tú|tu|tus|ti|te)(?!\p{L})/iu, []],
] as const)('%s addresses its reader in one way throughout', (language, other, guests) => {
  const name = { de: 'german', fr: 'french', es: 'spanish' }[language]
  const texts = [
    read('../../packages/web/console/texts', `${language}.json`),
    read('../../packages/server/src/texts', `${name}.ts`),
    read('../../packages/server/src/texts/alarms', `${name}.ts`),
    ...guests.flatMap(guest => [
      read('../../packages/server/src/texts/guest', `${guest}.ts`),
      read('../../packages/server/src/texts/person', `${guest}.ts`),
      read('../../packages/web/guest/texts', `${language}.json`),
    ]),
  ]
  expect(texts.flatMap(text => text.split('\n').filter(line => other.test(line)))).toEqual([])
})

/** A button to leave an organization must not read as signing out, or closing. */
test.each([
  ['es', 'Cerrar sesión', 'Abandonar la organización'],
  ['fr', 'Se déconnecter', 'Quitter l’organisation'],
  ['de', 'Abmelden', 'Organisation verlassen'],
])('signing out and leaving an organization are two things in %s', (language, out, leave) => {
  const spoken = JSON.parse(read('../../packages/web/console/texts', `${language}.json`)) as Record<
    string,
    string
  >
  expect([spoken['Sign out'], spoken['Leave organization']]).toEqual([out, leave])
})

test.each([
  ['de', 'ntriegel'],
  ['es', 'esbloque'],
  ['fr', 'éverrouill'],
])('rules that unlock are called by the word for unlocking in %s', (language, word) => {
  const spoken = JSON.parse(read('../../packages/web/console/texts', `${language}.json`)) as Record<
    string,
    string
  >
  const rules = Object.entries(spoken).filter(([text]) => /unlock rule/i.test(text))
  expect(rules.length).toBeGreaterThan(20)
  expect(rules.filter(([, said]) => !said.includes(word))).toEqual([])
})

const roles = Object.entries(english).filter(([key]) => /^role_(?!may_not)/.test(key))

test.each([
  ['es', spanish],
  ['de', german],
  ['fr', french],
] as const)('a role is called the same in the console and on pages in %s', (language, texts) => {
  const path = join(console_folder, 'texts', `${language}.json`)
  const spoken = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const names = roles.map(([key, name]) => [name, texts[key as keyof typeof english]])
  expect(names).toHaveLength(7)
  expect(names).toEqual(roles.map(([, name]) => [name, spoken[name]]))
})

/** What looks like a sentence and is none: names of browsers, of countries in their own language, code. */
const unsaid = /^(application\/|[\w-]+\/)|[<>]| got no answer$/

/** Sentences, templates with two words in a row or one between values, and numbers of something. */
const sentences = [
  /(['"`])([A-Z][a-z]+ [a-z][^'"`⟦]*?)\1/g,
  /(`)([^`⟦\n]*[a-z]{2,} [a-z]{2,}[^`⟦\n]*)`/g,
  /(`)([^`⟦\n]*\} [a-z]{2,} \$[^`⟦\n]*)`/g,
  /(['"])(\d[\d,.]* [a-z]{2,}[^'"⟦]*?)\1/g,
]

test.each(files)('%s has no sentence that is said in English only', name => {
  const { code } = markTexts(name, readFileSync(join(sources, name), 'utf8'))
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replaceAll(/^import .*$/gm, '')
  const literals = sentences.flatMap(pattern => [...bare.matchAll(pattern)].map(([, , text = '']) => text))
  expect(literals.filter(text => !unsaid.test(text))).toEqual([])
})

/** Words that something is called by, in the records of them: `create: 'added'`. */
const entries = /^ {2}\w+: '([a-z]{3,})',$/gm
const colors = /^(blue|gray|green|orange|red|teal|yellow|dark)$/

test.each(files.filter(name => /words\.tsx?$/.test(name)))(
  '%s has no word that is said in English only',
  name => {
    const { code } = markTexts(name, readFileSync(join(sources, name), 'utf8'))
    const words = [...code.matchAll(entries)].map(([, word = '']) => word)
    expect(words.filter(word => !colors.test(word))).toEqual([])
  },
)

test('everything that can be edited has a name in histories, also what is within it', () => {
  const kinds = Object.values<Resource>(resources)
  const edited = kinds.flatMap(({ fields }) => Object.entries<Field>(fields).filter(([, { edit }]) => edit))
  const names = edited.flatMap(([name, { type }]) => [
    name,
    ...(name === 'filter' ? [] : namesIn(type.schema)),
  ])
  const unnamed = names.filter(name => name.length > 1 && !(name in fieldWords) && !(name in methodWords))
  expect([...new Set(unnamed)]).toEqual([])
})

test('the record of processing has a word for everything that it lists', () => {
  expect(listProcessing().filter(({ data }) => !dataWords[data])).toEqual([])
})

const server = resolve(import.meta.dirname, '../../packages/server/src')
const guest = resolve(import.meta.dirname, '../../packages/web/guest')
/** Keys that are put together: of the kind of a mail, a role, a scope, the type of an alarm. */
const composed = /^((mail|role|scope|type)_|(code|link)_(sent|in_outbox)$)/

test('pages, mails and the guest page say every text that they have', () => {
  const written = [server, guest]
    .flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
    )
    .filter(name => /\.(tsx?|html)$/.test(name) && !name.includes('/texts/'))
    .map(name => readFileSync(name, 'utf8'))
    .join('\n')
  const words = new Set(written.match(/\w+/g))
  const keys = Object.keys({ ...english, ...guestTexts })
  expect(keys.filter(key => !composed.test(key) && !words.has(key))).toEqual([])
})

/** The names of all properties in a schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value) : []),
    ...namesIn(value),
  ])
}

describe('marking', () => {
  const marked = (code: string) => markTexts('x.tsx', code).code.replace(/^import .*\n/, '')

  test('text between tags becomes one text, with a gap for each element and value', () => {
    expect(marked('<p>Save</p>')).toBe('<p>{"⟦Save⟧"}</p>')
    expect(marked('<p>Anyone in <b>{who}</b> can {what}.</p>')).toBe(
      '<p>{__fillElements("⟦Anyone in {0} can {1}.⟧", <b>{who}</b>, what)}</p>',
    )
    expect(markTexts('x.tsx', '<p>Hello <b>you</b></p>').texts).toEqual(['Hello {0}', 'you'])
  })

  test('lines are joined as React joins them, and spaces around stay', () => {
    expect(marked('<p>\n  One\n  two{" "}\n  {three}\n</p>')).toBe(
      '<p>{__fillElements("⟦One two {0}⟧", three)}</p>',
    )
    expect(marked('<p> ·&nbsp;{more}</p>')).toBe('<p> ·&nbsp;{more}</p>')
  })

  test('attributes, properties, conditions, templates, and what is given to t and spoken', () => {
    expect(marked('<A label="Name" name="Name" />')).toBe('<A label={"⟦Name⟧"} name="Name" />')
    expect(marked("const a = { label: 'Doors', color: 'Red' }")).toBe(
      'const a = { label: "⟦Doors⟧", color: \'Red\' }',
    )
    expect(marked("<A>{is ? 'Yes please' : no}</A>")).toBe('<A>{is ? "⟦Yes please⟧" : no}</A>')
    expect(marked("t('Deleted', 'door')")).toBe('t("⟦Deleted¦door⟧", \'door\')')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the code that is marked.
    expect(marked('t(`Delete ${name}`)')).toBe('t(__fillIn("⟦Delete {0}⟧", name))')
    expect(marked("spoken({ a: 'door', b: ['x', 'doors'] })")).toBe(
      'spoken({ a: "⟦door⟧", b: [\'x\', "⟦doors⟧"] })',
    )
  })

  test('code and words of the code stay', () => {
    for (const code of ['<code>Save it</code>', "const a = { failed: 'red' }", '<p>{count} / {all}</p>'])
      expect(marked(code)).toBe(code)
  })
})

test('texts are put into built files, whatever quotes the build chose', () => {
  const texts = { Save: 'Speichern', 'It’s “open”': 'Es ist „offen“', Quote: `a"b'c\`d` }
  expect(speak('f("⟦Save⟧",`⟦Save⟧`)', texts)).toBe('f("Speichern",`Speichern`)')
  expect(speak('f("⟦It’s “open”⟧")', texts)).toBe('f("Es ist „offen“")')
  // biome-ignore lint/security/noGlobalEval: says what a browser would read.
  for (const quote of ['"', "'", '`']) expect(eval(speak(`${quote}⟦Quote⟧${quote}`, texts))).toBe(texts.Quote)
  expect(speak('"⟦Unknown⟧ ⟦Save⟧"')).toBe('"Unknown Save"')
  expect(speak('"⟦Deleted¦door⟧"')).toBe('"Deleted"')
  expect(speak('"⟦Deleted¦door⟧"', { 'Deleted¦door': 'Supprimée', Deleted: 'Supprimé' })).toBe('"Supprimée"')
})
