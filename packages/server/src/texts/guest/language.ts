import type { GuestLanguage } from '@gatehouse-access/api'
import { fillGaps } from '../fill-gaps.ts'
import { bestLanguage } from '../language.ts'
import { arabic } from './arabic.ts'
import { english, type GuestTexts } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { italian } from './italian.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const languages: { readonly [Language in GuestLanguage]: GuestTexts } = {
  en: english,
  es: spanish,
  de: german,
  fr: french,
  it: italian,
  pt: portuguese,
  ar: arabic,
}

/** The texts of mails to guests in one language. */
export interface GuestVoice {
  readonly language: GuestLanguage
  say(key: keyof GuestTexts, gaps?: Readonly<Record<string, string>>): string
}

export function guestVoiceOf(language: GuestLanguage): GuestVoice {
  return {
    language,
    say: (key, gaps = {}) => fillGaps(key, languages[language][key], gaps, language),
  }
}

export function chooseGuestLanguage(header: string | undefined): GuestLanguage {
  return bestLanguage(header, Object.keys(languages) as GuestLanguage[])
}
