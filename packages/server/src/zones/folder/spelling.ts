/** Returns a function that finds a name whatever its case. */
export function spelling(names: Iterable<string>): (name: string) => string | undefined {
  const known = new Map<string, string>()
  for (const name of names) known.set(name.toLowerCase(), name)
  return name => known.get(name.toLowerCase())
}
