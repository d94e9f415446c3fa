import type { JsonSchema } from '@gatehouse-access/api'

export interface FieldPath {
  /** The keys from the body down. `*` stands for every array element. */
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/** Returns every field of a schema, including those nested in objects and arrays. */
export function fieldPaths(schema: JsonSchema, path: readonly string[] = []): FieldPath[] {
  const below = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([key, inner]) => [[...path, key], inner] as const,
  )
  const items = schema.items ? [[[...path, '*'], schema.items as JsonSchema] as const] : []
  return [...below, ...items].flatMap(([inside, inner]) => [
    { path: inside, schema: inner },
    ...fieldPaths(inner, inside),
  ])
}

/** Returns the concrete locations of a path in a body. */
export function placesIn(body: unknown, path: readonly string[]): string[][] {
  const [key, ...rest] = path
  if (key === undefined) return [[]]
  if (typeof body !== 'object' || body === null) return []
  // Object.keys omits an array's length, which is not a field.
  const keys = Object.keys(body).filter(found => key === '*' || found === key)
  return keys.flatMap(found =>
    placesIn((body as Record<string, unknown>)[found], rest).map(place => [found, ...place]),
  )
}

export function withValue<T>(body: T, place: readonly string[], value: unknown): T {
  const copy = structuredClone(body)
  let holder = copy as Record<string, unknown>
  for (const key of place.slice(0, -1)) holder = holder[key] as Record<string, unknown>
  holder[place.at(-1) as string] = value
  return copy
}
