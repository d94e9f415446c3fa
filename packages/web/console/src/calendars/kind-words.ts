/** The kinds that are offered before any calendar has others. */
export const usualKinds = ['holiday', 'half_day'] as const

/** Returns `half day` for `half_day`. */
export function kindWords(kind: string): string {
  return kind.replaceAll('_', ' ')
}

/** Returns `half days` for `half_day`. */
export function kindPlural(kind: string): string {
  const words = kindWords(kind)
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(words) ? `${words}es` : `${words}s`
}
