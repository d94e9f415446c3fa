import { bodySchema, type Endpoint, endpoints, listParameters } from '@gatehouse-access/api'
import { accountRoutes } from '@gatehouse-access/server'
import fc from 'fast-check'
import { fieldPaths, placesIn, withValue } from '../properties/field-paths.ts'
import { type Body, validBodies } from '../properties/valid-bodies.ts'
import type { Names, Neighbours } from './neighbours.ts'

/** A request that may refer to objects of the other organization. `render` inserts the names. */
export interface Draft {
  readonly surface: 'api' | 'account'
  readonly method: string
  render(theirs: Names): { readonly path: string; readonly body?: unknown }
}

/** Stands for a name of the other side until the request is sent. */
const placeholder = (name: string) => `{{${name}}}`

function fill<Value>(value: Value, theirs: Names): Value {
  const text = JSON.stringify(value)
  if (text === undefined) return value
  return JSON.parse(text.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => theirs[name] ?? 'x'))
}

function draft(surface: Draft['surface'], method: string, path: string, body?: unknown): Draft {
  return {
    surface,
    method,
    render: theirs => ({
      path: path.replace(/%7B%7B(\w+)%7D%7D|\{\{(\w+)\}\}/g, (_whole, a, b) => theirs[a ?? b] ?? 'x'),
      ...(body !== undefined && { body: fill(body, theirs) }),
    }),
  }
}

/**
 * Any request to the API or to the console's routes, valid or invalid, about us, about them, or about
 * nothing.
 */
export function anyDraft(neighbours: Neighbours): fc.Arbitrary<Draft> {
  const text = anyText(neighbours)
  return fc.oneof(anyApiDraft(neighbours, text), anyAccountDraft(neighbours, text))
}

function anyText({ ours, theirs: others }: Neighbours): fc.Arbitrary<string> {
  const theirs = Object.keys(others.names).map(placeholder)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...theirs) },
    { weight: 2, arbitrary: fc.constantFrom(...Object.values(ours.names)) },
    fc.constantFrom('', ' ', '%', '_', '\\', '*', '#', '\0', '0', '-1', '1e9', 'null', 'true', '__proto__'),
    fc.constantFrom('2026-11-14T09:30:00Z', 'infinity', 'https://example.com/', '#aabbcc', '730418'),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
}

function anyValue(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: text },
    fc.constantFrom(null, true, false, 0, -1, 1e308, [], {}, [null], [[]]),
    fc.array(text, { maxLength: 4 }),
    fc.dictionary(text, text, { maxKeys: 3 }),
    fc.jsonValue(),
  )
}

function anyApiDraft({ ours }: Neighbours, text: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  const bodies = validBodies(ours.ids)
  return fc.constantFrom(...endpoints).chain(endpoint =>
    fc
      .record({
        path: anyPath(endpoint.path, /\{(\w+)\}/g, ours.names, text),
        query: anyQuery(endpoint, text),
        body: anyBody(endpoint, bodies[endpoint.id] ?? [], anyValue(text)),
      })
      .map(({ path, query, body }) => draft('api', endpoint.method, `${path}${query}`, body)),
  )
}

/** Each parameter is mostly ours or theirs, and occasionally random. */
function anyPath(
  path: string,
  pattern: RegExp,
  ours: Names,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const names = [...path.matchAll(pattern)].map(([, name]) => name as string)
  const choices = names.map(name =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(placeholder(name)) },
      { weight: 4, arbitrary: fc.constant(ours[name] ?? 'x') },
      { weight: 1, arbitrary: text.map(given => encodeURIComponent(given.toWellFormed()) || 'x') },
    ),
  )
  return fc.tuple(...choices).map(values => {
    let place = 0
    return path.replace(pattern, () => values[place++] as string)
  })
}

function anyQuery(endpoint: Endpoint, text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const own = endpoint.verb === 'list' ? listParameters(endpoint.resource) : Object.keys(endpoint.query)
  const names = [...own, 'expand', 'nonsense'].map(name => name.replace('<key>', 'only'))
  const pair = fc.tuple(
    fc.constantFrom(...names),
    text.map(given => given.toWellFormed()),
  )
  const some = fc.array(pair, { minLength: 1, maxLength: 3 })
  return fc.option(some, { nil: [], freq: endpoint.verb === 'list' ? 3 : 1 }).map(pairs => {
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  })
}

function anyBody(
  endpoint: Endpoint,
  right: readonly Body[],
  value: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (endpoint.body === undefined) return fc.constant(undefined)
  if (right.length === 0) return value
  const mixed = fc.constantFrom(...right).chain(body => {
    const places = fieldPaths(bodySchema(endpoint)).flatMap(({ path }) => placesIn(body, path))
    if (places.length === 0) return fc.constant<unknown>(body)
    const changes = fc.array(fc.tuple(fc.constantFrom(...places), value), { maxLength: 3 })
    return changes.map(all => all.reduce(change, body) as unknown)
  })
  return fc.oneof({ weight: 8, arbitrary: mixed }, { weight: 1, arbitrary: value })
}

/** An earlier change may have removed the path of this one. */
function change(body: Body, [place, value]: [string[], unknown]): Body {
  return placesIn(body, place).length > 0 ? withValue(body, place, value) : body
}

const accountFields = ['name', 'email', 'role', 'code', 'password', 'current_password', 'redirect_uris']
const moreFields = ['template', 'url', 'filter', 'expand', 'is_enabled', 'metadata', 'logo', 'user_id']

/** Excludes what would end the session, because no request could follow. */
const ending = new Set(['DELETE /user', 'DELETE /session'])

function anyAccountDraft({ ours }: Neighbours, text: fc.Arbitrary<string>): fc.Arbitrary<Draft> {
  const routes = accountRoutes.filter(({ method, path }) => !ending.has(`${method} ${path}`))
  const fields = fc.dictionary(fc.constantFrom(...accountFields, ...moreFields), anyValue(text), {
    maxKeys: 4,
  })
  return fc.constantFrom(...routes).chain(({ method, path }) =>
    fc
      .record({
        path: anyPath(path, /:(\w+)/g, ours.names, text),
        body: method === 'GET' ? fc.constant(undefined) : fc.oneof(fields, anyValue(text)),
      })
      .map(asked => draft('account', method, `/account${asked.path}`, asked.body)),
  )
}
