import { fillGaps } from '../../../ui/fill-gaps.ts'
import type english from '../../texts/en.json'
import { chosenLanguage, type Language } from './languages.ts'

export type Key = keyof typeof english
type Texts = Readonly<Record<Key, string>>

/** Each language is a file of its own, of which a browser loads one. */
const files: Record<Language, () => Promise<{ readonly default: Texts }>> = {
  en: () => import('../../texts/en.json'),
  es: () => import('../../texts/es.json'),
  de: () => import('../../texts/de.json'),
  fr: () => import('../../texts/fr.json'),
}

let texts: Partial<Texts> = {}

/** Loads the texts. Modules that say something are loaded afterwards, so that their constants can use `say`. */
export async function loadTexts(language = chosenLanguage()): Promise<void> {
  texts = (await files[language]()).default
  document.documentElement.lang = language
}

/** Returns a text in the language of the user. */
export function say(key: Key, gaps: Readonly<Record<string, string | number>> = {}): string {
  return fillGaps(texts[key] ?? key, gaps)
}
