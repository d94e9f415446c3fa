/** What must be there, whatever its type admits: a fault of ours fails here and not somewhere behind. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`)
  return value
}
