type Part = Readonly<Record<string, unknown>>

/** Converts an OpenAPI 3.1 document to 3.0.3, for tools that do not support newer versions. */
export function toOpenApi30(document: Part): Part {
  const { summary: _summary, ...info } = document.info as Part
  const license = { name: 'MIT', url: 'https://opensource.org/license/mit' }
  return { ...(convert(document) as Part), openapi: '3.0.3', info: { ...info, license } }
}

/** Keys whose values are data, even when they look like a schema. */
const data = new Set(['example', 'examples', 'enum', 'default'])

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const part = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, data.has(key) ? inner : convert(inner)]),
  )
  return isSchema(part) ? convertSchema(part) : part
}

/** Property maps can have these keys too, but with objects as values, never strings or arrays. */
function isSchema({ type, $ref, examples, contentMediaType }: Part): boolean {
  return (
    typeof type === 'string' ||
    Array.isArray(type) ||
    typeof $ref === 'string' ||
    Array.isArray(examples) ||
    typeof contentMediaType === 'string'
  )
}

function convertSchema({ type, examples, contentMediaType: _mediaType, $ref, ...rest }: Part): Part {
  const types = [type].flat().filter(name => name !== undefined)
  const isNullable = types.includes('null')
  const [own, other] = types.filter(name => name !== 'null')
  return {
    ...referring($ref, rest),
    // 3.0 has one type, or none for any value.
    ...(own !== undefined && other === undefined && { type: own, ...(isNullable && { nullable: true }) }),
    ...(Array.isArray(examples) && examples.length > 0 && { example: examples[0] }),
    ...rest,
  }
}

/** In 3.0, a reference must not have siblings, so a reference with siblings is wrapped in `allOf`. */
function referring($ref: unknown, neighbours: Part): Part {
  if ($ref === undefined) return {}
  return Object.keys(neighbours).length === 0 ? { $ref } : { allOf: [{ $ref }] }
}
