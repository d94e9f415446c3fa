import type english from '../texts/en.json'

export type Key = keyof typeof english

/** The page carries the texts of one language: the server has chosen it by the phone's. */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<Key, string>
const language = document.documentElement.lang
/** The phone's own region of that language, so that a Briton reads 15:00 and an American 3:00 PM. */
export const locale = navigator.languages.find(tag => tag.split('-')[0] === language) ?? language

export function say(key: Key, gaps: Readonly<Record<string, string | number>> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (_gap, name) => String(gaps[name] ?? ''))
}
