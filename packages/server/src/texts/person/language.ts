import type { GuestLanguage } from '@gatehouse-access/api'
import { fillGaps } from '../fill-gaps.ts'
import { arabic } from './arabic.ts'
import { english, type PersonTexts } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const languages: Readonly<Record<GuestLanguage, PersonTexts>> = {
  en: english,
  es: spanish,
  de: german,
  fr: french,
  it: italian,
  pt: portuguese,
  ar: arabic,
}

export interface PersonVoice {
  readonly language: GuestLanguage
  readonly direction: 'ltr' | 'rtl'
  say(key: keyof PersonTexts, gaps?: Readonly<Record<string, string | number>>): string
  /** Returns the word for a kind or a verb, or the kind itself. */
  name(key: string): string
}

export function personVoiceOf(language: GuestLanguage): PersonVoice {
  const texts = languages[language]
  return {
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    say: (key, gaps = {}) => fillGaps(key, texts[key], gaps, language),
    name: key => (key in texts ? texts[key as keyof PersonTexts] : key.replaceAll('_', ' ')),
  }
}
