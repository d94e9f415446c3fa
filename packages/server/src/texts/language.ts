import { english, type Texts } from './english.ts'
import { fillGaps } from './fill-gaps.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'

const languages = { en: english, es: spanish, de: german, fr: french } as const

export type Language = keyof typeof languages

export const userLanguages = ['en', 'es', 'de', 'fr'] as const satisfies readonly Language[]

/** The texts of one language, with their gaps filled in. */
export interface Voice {
  readonly language: Language
  say(key: keyof Texts, gaps?: Readonly<Record<string, string | number>>): string
}

export function voiceOf(language: Language): Voice {
  const texts = languages[language]
  const say: Voice['say'] = (key, gaps = {}) => fillGaps(key, texts[key], gaps, language)
  return { language, say }
}

/** Returns a stored language, or English if nothing is known of its reader. */
export function languageOf(stored: string | null | undefined): Language {
  return userLanguages.find(language => language === stored) ?? 'en'
}

/** Returns the best language for an Accept-Language header, or English if none is supported. */
export function chooseLanguage(header: string | undefined): Language {
  return bestLanguage(header, userLanguages)
}

/** Returns the best of the known languages, or English if the header names none of them. */
export function bestLanguage<Known extends string>(
  header: string | undefined,
  known: readonly Known[],
): Known | 'en' {
  const wishes = (header ?? '').slice(0, 500).split(',').map(readWish)
  const ours = wishes.flatMap(({ language, weight }) => {
    const found = known.find(name => name === language)
    return found && weight > 0 ? [{ found, weight }] : []
  })
  return ours.sort((a, b) => b.weight - a.weight)[0]?.found ?? 'en'
}

function readWish(part: string): { language: string; weight: number } {
  const [tag = '', ...parameters] = part.trim().split(';')
  const weight = parameters.map(parameter => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(found => found)
  return { language: tag.slice(0, 2).toLowerCase(), weight: weight === undefined ? 1 : Number(weight) || 0 }
}
