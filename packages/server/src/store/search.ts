import type { Resource } from '@gatehouse-access/api'
import type { Row } from '../database/db.ts'

/**
 * Returns the text that `q` searches: the lower-case text, then its words with a space before each. Case is
 * folded here rather than in SQL, so that it does not depend on the locale of the database.
 */
export function searchText(resource: Resource, values: Row): string {
  const texts = (resource.search?.fields ?? [])
    .map(name => values[name])
    .filter(value => typeof value === 'string')
  const lower = texts.join('\n').toLowerCase()
  return `${lower}\n ${lower.split(/[^\p{L}\p{N}]+/u).join(' ')}`
}

/**
 * Returns a LIKE pattern. Three or more characters match anywhere, fewer only at the beginning of a word.
 * `%`, `_` and `\` are literal.
 */
export function searchPattern(q: string): string {
  const lower = q.toLowerCase()
  const escaped = lower.replace(/[\\%_]/g, '\\$&')
  return [...lower].length >= 3 ? `%${escaped}%` : `% ${escaped}%`
}
