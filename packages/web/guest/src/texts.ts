import { fillGaps } from '../../ui/fill-gaps.ts'
import type english from '../texts/en.json'

export type Key = keyof typeof english

/** The page contains the texts of one language, which the server chose by the phone's languages. */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<Key, string>
const language = document.documentElement.lang
/**
 * The phone's regional variant of that language, so that times appear as 15:00 in Britain and 3:00 PM in the
 * US.
 */
export const locale = navigator.languages.find(tag => tag.split('-')[0] === language) ?? language

export function say(key: Key, gaps: Readonly<Record<string, string | number>> = {}): string {
  return fillGaps(texts[key], gaps)
}
