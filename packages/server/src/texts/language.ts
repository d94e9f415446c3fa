import { english, type Texts } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'

const languages = { en: english, es: spanish, de: german, fr: french } as const

export type Language = keyof typeof languages

/** The sentences of one language, with their gaps filled in. */
export interface Voice {
  readonly language: Language
  say(key: keyof Texts, gaps?: Readonly<Record<string, string | number>>): string
}

export function voiceOf(language: Language): Voice {
  const texts = languages[language]
  const say: Voice['say'] = (key, gaps = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_match, name) => String(gaps[name] ?? ''))
  return { language, say }
}

/** The best language of an Accept-Language header; English when it names none of ours. */
export function chooseLanguage(header: string | undefined): Language {
  const wishes = (header ?? '').slice(0, 500).split(',').map(readWish)
  const best = wishes.filter(({ language }) => language in languages).sort((a, b) => b.weight - a.weight)[0]
  return best && best.weight > 0 ? (best.language as Language) : 'en'
}

function readWish(part: string): { language: string; weight: number } {
  const [tag = '', ...parameters] = part.trim().split(';')
  const weight = parameters.map(parameter => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(found => found)
  return { language: tag.slice(0, 2).toLowerCase(), weight: weight === undefined ? 1 : Number(weight) || 0 }
}
