import { t } from '../language/t.ts'

/** How many names a sentence has room for. */
export const mostNames = 3

/** Returns `Hotel, Annex, Garage and 2 more`. Give the count if not all names are known. */
export function someNames(names: readonly string[], count = names.length): string {
  const said = names.slice(0, mostNames).join(', ')
  return count > mostNames ? t(`${said} and ${count - mostNames} more`) : said
}

export function byName(a: string, b: string): number {
  return a.localeCompare(b)
}

/** Returns the names of objects, in order. */
export function namesOf(objects: readonly { readonly name: string }[]): string[] {
  return objects.map(({ name }) => name).toSorted(byName)
}
