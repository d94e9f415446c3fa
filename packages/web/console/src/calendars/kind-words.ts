import { toLocalId } from '../form/local-id.ts'
import { language } from '../language/languages.ts'
import { spoken } from '../language/t.ts'

/** The kinds that are offered before any calendar has others. */
export const usualKinds = ['holiday', 'half_day'] as const

/** Of the kinds that there always are. Others are as their users wrote them. */
const usualWords: Readonly<Record<string, readonly [one: string, many: string]>> = spoken({
  holiday: ['holiday', 'holidays'],
  half_day: ['half day', 'half days'],
})

/** Returns `half day` for `half_day`. */
export function kindWords(kind: string): string {
  return usualWords[kind]?.[0] ?? kind.replaceAll('_', ' ')
}

/** Returns `half_day` for `half day`, in the language of the user. */
export function kindOf(words: string): string {
  const id = toLocalId(words)
  return usualKinds.find(kind => toLocalId(kindWords(kind)) === id) ?? id
}

/** Returns `half days` for `half_day`. */
export function kindPlural(kind: string): string {
  const [, many] = usualWords[kind] ?? []
  if (many) return many
  const words = kindWords(kind)
  if (language !== 'en') return words
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(words) ? `${words}es` : `${words}s`
}
