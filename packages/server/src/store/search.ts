import type { Resource } from '@gatehouse/api'
import type { Row } from '../database/db.ts'

/**
 * What `q` looks at: the text in lower case, then its words with one space before each. Case is folded here and not
 * in SQL, so that it does not depend on the locale of the database.
 */
export function searchText(resource: Resource, values: Row): string {
  const texts = (resource.search?.fields ?? [])
    .map(name => values[name])
    .filter(value => typeof value === 'string')
  const lower = texts.join('\n').toLowerCase()
  return `${lower}\n ${lower.split(/[^\p{L}\p{N}]+/u).join(' ')}`
}

/** Three characters and more match anywhere, fewer the beginning of a word. `%`, `_` and `\` mean themselves. */
export function searchPattern(q: string): string {
  const lower = q.toLowerCase()
  const escaped = lower.replace(/[\\%_]/g, '\\$&')
  return [...lower].length >= 3 ? `%${escaped}%` : `% ${escaped}%`
}
