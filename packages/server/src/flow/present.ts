/** Asserts that a value exists although its type is wider, so that a bug fails here rather than later. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is missing`)
  return value
}
