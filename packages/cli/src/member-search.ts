/** Returns what a list of members is asked for: a part of the name, or a whole email address. */
export function memberSearch(words: string | undefined): { readonly email?: string; readonly q?: string } {
  if (words === undefined) return {}
  return words.includes('@') ? { email: words } : { q: words }
}
