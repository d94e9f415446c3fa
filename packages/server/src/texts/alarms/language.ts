import { fillGaps } from '../fill-gaps.ts'
import type { Language } from '../language.ts'
import { type AlarmTexts, english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'

const languages: { readonly [Name in Language]: AlarmTexts } = {
  en: english,
  es: spanish,
  de: german,
  fr: french,
}

/** The words for alarms in one language. */
export interface AlarmVoice {
  readonly language: Language
  say(key: keyof AlarmTexts, gaps?: Readonly<Record<string, string | number>>): string
}

export function alarmVoiceOf(language: Language): AlarmVoice {
  return { language, say: (key, gaps = {}) => fillGaps(key, languages[language][key], gaps, language) }
}
