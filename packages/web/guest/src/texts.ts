import type english from '../texts/en.json'

export type Key = keyof typeof english

/** The page carries the texts of one language: the server has chosen it by the phone's. */
const texts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<Key, string>
export const language = document.documentElement.lang

export function say(key: Key, gaps: Readonly<Record<string, string | number>> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (_gap, name) => String(gaps[name] ?? ''))
}
