import type { JsonSchema } from '@gatehouse/api'

export interface FieldPath {
  /** Keys from the body down; `*` stands for every entry of an array. */
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/** Every field that a schema knows, also those inside objects and arrays. */
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

/** The concrete places of a path in a body. */
export function placesIn(body: unknown, path: readonly string[]): string[][] {
  const [key, ...rest] = path
  if (key === undefined) return [[]]
  if (typeof body !== 'object' || body === null) return []
  // The length of an array is no field of it.
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
