import { t } from '../language/t.ts'
import { quoted } from './quoted.ts'

/** How many names a sentence has room for. */
export const mostNames = 3

/** Returns `Hotel, Annex, Garage and 2 more`. Give the count if not all names are known. */
export function someNames(names: readonly string[], count = names.length): string {
  const said = names.slice(0, mostNames).join(', ')
  return count > mostNames ? t(`${said} and ${count - mostNames} more`) : said
}

/** Returns `the emergency plan “Lock Viseu”`, for a sentence. */
export function plansText(names: readonly string[]): string {
  const said = someNames(names.map(quoted))
  return names.length === 1 ? t(`the emergency plan ${said}`) : t(`the emergency plans ${said}`)
}

/** Returns `the rule “Forced doors”`, for a sentence. */
export function rulesText(names: readonly string[]): string {
  const said = someNames(names.map(quoted))
  return names.length === 1 ? t(`the rule ${said}`) : t(`the rules ${said}`)
}

export function byName(a: string, b: string): number {
  return a.localeCompare(b)
}

/** Returns the names of objects, in order. */
export function namesOf(objects: readonly { readonly name: string }[]): string[] {
  return objects.map(({ name }) => name).toSorted(byName)
}
