import { fillGaps } from '../../ui/fill-gaps.ts'
import type english from '../texts/en.json'

export type Key = keyof typeof english

/** The page contains the texts of one language, which the server chose by the phone's languages. */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<Key, string>
const language = document.documentElement.lang
/**
 * The phone's regional variant of that language, so that times appear as 15:00 in Britain and 3:00 PM in the
 * US. A phone in another language lends its region: to a reader from the Netherlands, English says 15:00.
 */
export const locale = navigator.languages.find(tag => tag.split('-')[0] === language) ?? lentRegion()

function lentRegion(): string {
  const { region } = new Intl.Locale(navigator.language).maximize()
  return region ? `${language}-${region}` : language
}

/** Some phones have a setting for 24 hours, which only the default format tells. */
export const clock: Intl.DateTimeFormatOptions = ownClock()

function ownClock(): Intl.DateTimeFormatOptions {
  const own = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions()
  return own.hourCycle && own.locale.split('-')[0] === language ? { hourCycle: own.hourCycle } : {}
}

export function say(key: Key, gaps: Readonly<Record<string, string | number>> = {}): string {
  return fillGaps(texts[key], gaps)
}
