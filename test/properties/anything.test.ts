import {
  bodySchema,
  type Endpoint,
  endpoints,
  errorTypes,
  listParameters,
  sortsOf,
} from '@gatehouse-access/api'
import { world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, type Question, requester } from './ask.ts'
import { rightQuestion } from './bad-requests.ts'
import { fieldPaths, placesIn, withValue } from './field-paths.ts'
import { instants } from './filter-texts.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'
import { runs } from './seeds.ts'
import { type Body, validBodies } from './valid-bodies.ts'

const owned = new AsyncDisposableStack()
let ask: Ask
let ids: Ids

beforeAll(async () => {
  const w = owned.use(await world())
  const tenant = await w.tenant()
  ask = requester(w.url, tenant.token)
  ids = await plantOneOfEach(ask, tenant, w)
})
afterAll(() => owned.disposeAsync())

/** Valid or invalid, the request is processed or rejected, and the service does not fail. */
async function expectNoFailure(question: Question): Promise<void> {
  const { status, text } = await ask(question)
  const told = `${question.method} ${question.path} ${JSON.stringify(question.body)?.slice(0, 2000)} → ${status} ${text}`
  if (status === 200) return
  expect(status, told).toBeLessThan(500)
  expect(errorTypes[JSON.parse(text).type as 'internal']?.status, told).toBe(status)
}

test('any values in any fields', async () => {
  await fc.assert(fc.asyncProperty(anyBody(), expectNoFailure), runs(250))
})

test('any texts in any parameters', async () => {
  await fc.assert(fc.asyncProperty(anyList(), expectNoFailure), runs(250))
})

function anyBody(): fc.Arbitrary<Question> {
  const value = anyValue()
  const taking = endpoints.filter(({ body, verb }) => body !== undefined && verb !== 'delete')
  return fc.constantFrom(...taking).chain(endpoint => {
    const bodies = validBodies(ids)[endpoint.id] as readonly Body[]
    return fc.constantFrom(...bodies).chain(body => mixed(endpoint, body, value))
  })
}

function mixed(endpoint: Endpoint, body: Body, value: fc.Arbitrary<unknown>): fc.Arbitrary<Question> {
  const places = fieldPaths(bodySchema(endpoint)).flatMap(({ path }) => placesIn(body, path))
  const right = rightQuestion(endpoint, ids, body)
  if (places.length === 0) return fc.constant(right)
  return fc
    .array(fc.tuple(fc.constantFrom(...places), value), { minLength: 1, maxLength: 2 })
    .map(changes => ({ ...right, body: changes.reduce(change, body) }))
}

/** An earlier change may have removed the path of this one. */
function change(body: Body, [place, value]: [string[], unknown]): Body {
  return placesIn(body, place).length > 0 ? withValue(body, place, value) : body
}

function anyValue(): fc.Arbitrary<unknown> {
  const text = anyText()
  return fc.oneof(
    text,
    fc.jsonValue(),
    fc.integer(),
    fc.double(),
    fc.constantFrom(null, true, false, [], {}, [{}], [[]]),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(text, text, { maxKeys: 3 }),
  )
}

function anyText(): fc.Arbitrary<string> {
  const known = Object.values(ids).flat()
  return fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...instants, '-infinity', 'infinity', 'now', 'epoch', '', ' ', '*', '#', '%', '_', '\\'),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[a-z0-9_]{1,64}$/),
    fc.stringMatching(/^[0-9#*]{0,40}$/),
    fc.stringMatching(/^https?:\/\/[a-z]{1,20}(\/[a-z%]{0,20})?$/),
  )
}

function anyList(): fc.Arbitrary<Question> {
  const text = anyText()
  const lists = endpoints.filter(({ verb }) => verb === 'list')
  return fc.constantFrom(...lists).chain(endpoint => {
    const { method, path } = rightQuestion(endpoint, ids, undefined)
    const names = listParameters(endpoint.resource).map(name => name.replace('<key>', 'a'))
    const sort = fc.constantFrom(...sortsOf(endpoint.resource)).map(field => ['sort', `${field}:asc`])
    const pair = fc.tuple(fc.constantFrom(...names), text)
    return fc
      .array(fc.oneof(pair, sort), { minLength: 1, maxLength: 3 })
      .map(pairs => ({ method, path: `${path}?${new URLSearchParams(pairs as [string, string][])}` }))
  })
}
