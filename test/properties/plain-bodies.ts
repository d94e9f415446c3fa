import {
  type Endpoint,
  endpoints,
  exampleId,
  exampleOf,
  type Field,
  fieldsFor,
  type Kind,
  prefixes,
  type Resource,
} from '@gatehouse-access/api'

type Body = Record<string, unknown>
type Ids = Readonly<Partial<Record<Kind, string>>>
type Create = (path: string, body?: object) => Promise<string>

/** Bodies with every field for every create and edit. Valid for kinds that have no rules of their own. */
export function plainBodies(ids: Ids): Record<string, readonly Body[]> {
  const taking = endpoints.flatMap(({ id, body, resource }) =>
    body === 'create' || body === 'edit' ? [[id, [plainBody(resource, body, ids)]]] : [],
  )
  return Object.fromEntries(taking)
}

/** Creates one object of every kind that does not exist yet and can be created. */
export async function plantTheRest<Known extends Ids>(create: Create, known: Known) {
  const planted: Partial<Record<Kind, string>> = { ...known }
  for (const endpoint of endpoints) {
    const kind = endpoint.resource.kind as Kind
    if (endpoint.verb !== 'create' || planted[kind]) continue
    planted[kind] = await create(pathOf(endpoint, planted), plainBody(endpoint.resource, 'create', planted))
  }
  return planted as Known & Record<Kind, string>
}

export function pathOf({ params, path }: Endpoint, ids: Ids): string {
  return params.reduce(
    (filled, { name, kind }) => filled.replace(`{${name}}`, String(ids[kind as Kind])),
    path,
  )
}

function plainBody(resource: Resource, verb: 'create' | 'edit', ids: Ids): Body {
  const values = fieldsFor(resource, verb).map(([name, field]) => [name, exampleFor(name, field)])
  return withIds(Object.fromEntries(values), ids)
}

function exampleFor(name: string, { example, type }: Field): unknown {
  if (name === 'is_deleted') return false
  const isEmpty = Array.isArray(example) && example.length === 0
  return example === undefined || isEmpty ? exampleOf(type.schema) : example
}

function withIds(body: Body, ids: Ids): Body {
  const kinds = Object.keys(prefixes) as Kind[]
  const text = kinds.reduce(
    (changed, kind) =>
      changed.replaceAll(`"${exampleId(kind)}"`, JSON.stringify(ids[kind] ?? exampleId(kind))),
    JSON.stringify(body),
  )
  return JSON.parse(text)
}
