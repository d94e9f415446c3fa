import {
  bodySchema,
  type Endpoint,
  filtersOf,
  type Kind,
  listParameters,
  type PathParameter,
  sortsOf,
} from '@gatehouse-access/api'
import type { Question } from './ask.ts'
import { fieldPaths, placesIn, withValue } from './field-paths.ts'
import { type Ids, neverId } from './one-of-each.ts'
import type { Body } from './valid-bodies.ts'
import { wrongValues } from './wrong-values.ts'

/** A fully valid request, to be made invalid in one aspect. */
export function rightQuestion({ method, path }: Endpoint, ids: Ids, body: Body | undefined): Question {
  return { method, path: fillPath(path, name => ids[kindOf(name)]), ...(body && { body }) }
}

export function fillPath(path: string, idFor: (name: string) => string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => idFor(name))
}

export function kindOf(parameter: string): Kind {
  return parameter.replace(/_id$/, '') as Kind
}

/** Every kind of invalid path. */
export function badPaths({ method, path, params }: Endpoint, ids: Ids, body: Body | undefined): Question[] {
  return params.flatMap(parameter =>
    wrongIds(parameter, ids).map(wrong => ({
      method,
      path: fillPath(path, name => (name === parameter.name ? wrong : ids[kindOf(name)])),
      ...(body && { body }),
    })),
  )
}

function wrongIds({ kind }: PathParameter, ids: Ids): string[] {
  const shapes = ['x', '%00', '%20', '__proto__', 'constructor', 'x'.repeat(5000), '%C3%A9', '%F0%9F%9A%AA']
  if (kind === 'product' || kind === 'action')
    return ['Nothing', 'no such', ...shapes.slice(1, 3), 'constructor.']
  const own = ids[kind]
  const other = kind === 'site' ? ids.tag : ids.site
  return [...shapes, other, own.toUpperCase(), `${own}0`, own.slice(0, -1), `${own}%00`, neverId(kind)]
}

/** Every kind of invalid query. */
export function badQueries(endpoint: Endpoint, right: Question): Question[] {
  const own = endpoint.verb === 'list' ? badListQueries(endpoint) : badPlainQueries(endpoint)
  const always = ['nonsense=1', '__proto__=1', 'constructor=1', 'toString=1', 'expand=nonsense', 'expand=,']
  const more = ['expand=__proto__', 'expand=%00', 'expand=%FF', '%E0%A4=1', 'expand=&expand=']
  return [...always, ...more, ...own].map(query => ({ ...right, path: `${right.path}?${query}` }))
}

function badListQueries({ resource }: Endpoint): string[] {
  const names = listParameters(resource).filter(name => !name.includes('<'))
  const limits = ['0', '-1', '101', '1e2', '1.5', '', 'NaN', '9'.repeat(400), '0x10', '%00'].map(
    limit => `limit=${limit}`,
  )
  const sorts = ['nonsense:asc', 'metadata:asc', '__proto__:asc', `${sortsOf(resource)[0]}:up`, 'id', '%00']
  const cursors = ['x', '', '%00', 'bnVsbA', 'W10', 'eyJhIjoxfQ', 'WyJhIixudWxsLCJiIl0', 'x'.repeat(4000)]
  return [
    ...limits,
    ...sorts.map(sort => `sort=${sort}`),
    ...cursors.map(cursor => `cursor=${cursor}`),
    ...names.map(name => `${name}=a&${name}=a`),
    ...[...filtersOf(resource).keys()].flatMap(name => [`${name}=%00`, `${name}=${'x'.repeat(3000)}`]),
    ...('is_deleted' in resource.fields ? ['is_deleted=maybe', 'is_deleted=', 'is_deleted=%00'] : []),
    ...(resource.search ? ['q=%00', `q=${'x'.repeat(256)}`] : []),
    ...(resource.fields.metadata ? ['metadata.=x', 'metadata.a=%00', 'metadata.%00=a', 'metadata=a'] : []),
  ]
}

function badPlainQueries({ query }: Endpoint): string[] {
  const unknown = ['limit=1', 'q=a'].filter(text => !(text.slice(0, -2) in query))
  return [
    ...Object.keys(query).flatMap(name => [`${name}=maybe`, `${name}=`, `${name}=true&${name}=true`]),
    ...unknown,
  ]
}

/** Every kind of invalid field in a body. */
export function badFields(endpoint: Endpoint, right: Question): Question[] {
  return fieldPaths(bodySchema(endpoint)).flatMap(({ path, schema: inner }) =>
    placesIn(right.body, path)
      .slice(0, 1)
      .flatMap(place =>
        wrongValues(inner).map(value => ({ ...right, body: withValue(right.body, place, value) })),
      ),
  )
}

/** Every kind of invalid body. */
export function badBodies({ body }: Endpoint, right: Question): Question[] {
  if (body === undefined) return []
  const { body: given } = right as { body: Body }
  const values = ['[]', '"x"', '0', 'null', 'true', '[{}]']
  const unknown = [
    { ...given, nonsense: 1 },
    { ...given, constructor: {} },
    { ...given, '': 1 },
  ]
  const texts = ['{', '{"a":}', "{'a':1}", 'NaN', '{"__proto__":{"name":"x"}}', `{"a":1}x`, '\ufeff{]']
  const nested = [33, 100_000].map(levels => `${'['.repeat(levels)}${']'.repeat(levels)}`)
  const bytes = [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"name":"\xe9"}', 'latin1')]
  // Within the body size limit, so that the field's check must reject it and not the body parser.
  const large = { ...given, [Object.keys(given)[0] ?? 'name']: 'x'.repeat(1_000_000) }
  const wrong: unknown[] = [...values, ...unknown, ...texts, ...nested, ...bytes, large]
  return wrong.map(value => ({ ...right, body: value }))
}

/** Content types other than JSON, also for requests without a body. */
export function badTypes(right: Question): Question[] {
  if (right.method === 'GET') return []
  const types = ['text/plain', 'application/xml', 'application/jsonx', 'x', 'multipart/form-data; boundary=a']
  return types.map(type => ({ ...right, body: '{}', headers: { 'content-type': type } }))
}

export function badHeaders({ method, verb }: Endpoint, right: Question): Question[] {
  const keys = method === 'POST' ? ['', 'k'.repeat(256)] : []
  const tags = verb === 'edit' || verb === 'delete' ? ['"nope"', 'nope', '', ',,,', '"\xff"'] : []
  return [
    ...keys.map(key => ({ ...right, headers: { 'idempotency-key': key } })),
    ...tags.map(tag => ({ ...right, headers: { 'if-match': tag } })),
    ...['', 'Bearer', 'Bearer x', 'Basic eDp4', 'Bearer ak_1234'].map(authorization => ({
      ...right,
      headers: { authorization },
    })),
  ]
}
