import { bodySchema, type Endpoint, endpoints } from '@gatehouse-access/api'
import { isSoak, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, type Question, requester, succeed } from './ask.ts'
import {
  badBodies,
  badFields,
  badHeaders,
  badPaths,
  badQueries,
  badTypes,
  rightQuestion,
} from './bad-requests.ts'
import { fieldPaths, placesIn, withValue } from './field-paths.ts'
import { type Ids, plantOneOfEach } from './one-of-each.ts'
import { expectRefusal } from './refusal.ts'
import { runs } from './seeds.ts'
import { digestTables } from './state.ts'
import { type Body, validBodies } from './valid-bodies.ts'
import { anyWrongValue } from './wrong-values.ts'

const owned = new AsyncDisposableStack()
let ask: Ask
let ids: Ids
let digest: () => Promise<Record<string, string>>
/** The state after the last attacks, with which the next ones start. */
let last: Record<string, string> | undefined

beforeAll(async () => {
  const w = owned.use(await world())
  const tenant = await w.tenant()
  ask = requester(w.url, tenant.token)
  ids = await plantOneOfEach(ask, tenant, w)
  digest = () => digestTables(w.server.context.db)
})
afterAll(() => owned.disposeAsync())

function bodiesOf(endpoint: Endpoint): readonly (Body | undefined)[] {
  return endpoint.body === undefined ? [undefined] : (validBodies(ids)[endpoint.id] as readonly Body[])
}

test('every endpoint that takes a body is attacked, in every field of it', () => {
  const taking = endpoints.filter(({ body }) => body !== undefined)
  expect(Object.keys(validBodies(ids)).sort()).toEqual(taking.map(({ id }) => id).sort())
  for (const endpoint of taking)
    for (const { path } of fieldPaths(bodySchema(endpoint)))
      expect(
        bodiesOf(endpoint).some(body => placesIn(body, path).length > 0),
        `${endpoint.id} ${path.join('.')}`,
      ).toBe(true)
})

describe.each(endpoints.map((endpoint, index) => [endpoint.id, endpoint, index] as const))(
  '%s',
  (_id, endpoint, index) => {
    test('refuses bad input and changes nothing', async () => {
      const before = last ?? (await digest())
      last = undefined
      await refuseAll(sample(bodiesOf(endpoint).flatMap(body => attacks(endpoint, body))))
      last = isCompared(index) ? await digest() : before
      expect(last).toEqual(before)
    })
  },
)

/** A digest costs as much as the attacks on an endpoint: one for each in `npm run soak`, for every fifth in `npm test`. */
function isCompared(index: number): boolean {
  return isSoak || index % 5 === 4 || index === endpoints.length - 1
}

/** All of them in `npm run soak`; in `npm test` every sixteenth, beginning at another place for each endpoint. */
function sample(all: readonly Question[]): readonly Question[] {
  const first = samples++ % 16
  return isSoak ? all : all.filter((_, index) => index % 16 === first)
}
let samples = 0

function attacks(endpoint: Endpoint, body: Body | undefined): Question[] {
  const right = rightQuestion(endpoint, ids, body)
  return [
    ...badPaths(endpoint, ids, body),
    ...badQueries(endpoint, right),
    ...badFields(endpoint, right),
    ...badBodies(endpoint, right),
    ...badTypes(right),
    ...badHeaders(endpoint, right),
  ]
}

/** Runs a few at a time. Each is rejected independently, and most of its time is latency. */
async function refuseAll(questions: readonly Question[]): Promise<void> {
  const left = questions.values()
  const work = async () => {
    for (const question of left) await refuse(question)
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

async function refuse(question: Question): Promise<void> {
  expectRefusal(question, await ask(question))
}

test('random wrong values in random fields', async () => {
  const before = await digest()
  await fc.assert(fc.asyncProperty(anyAttack(), refuse), runs(120))
  expect(await digest()).toEqual(before)
})

function anyAttack(): fc.Arbitrary<Question> {
  const targets = endpoints.flatMap(endpoint =>
    bodiesOf(endpoint).flatMap(body => {
      const right = rightQuestion(endpoint, ids, body)
      return fieldPaths(bodySchema(endpoint)).flatMap(({ path, schema }) =>
        placesIn(body, path).map(place => ({ right, place, schema })),
      )
    }),
  )
  return fc
    .constantFrom(...targets)
    .chain(({ right, place, schema }) =>
      anyWrongValue(schema).map(value => ({ ...right, body: withValue(right.body, place, value) })),
    )
}

test('a cursor is good for its own list, sort and filters only, and never breaks', async () => {
  for (let count = 0; count < 3; count++)
    await succeed(ask, { method: 'POST', path: '/tags', body: { name: 'x' } })
  const page = await succeed<{ cursor_next: string }>(ask, { method: 'GET', path: '/tags?limit=1' })
  const { cursor_next: cursor } = page
  for (const path of ['/sites?', '/tags?sort=name:asc&', '/tags?is_deleted=any&', '/tags?q=x&'])
    await refuse({ method: 'GET', path: `${path}cursor=${cursor}` })
  await fc.assert(
    fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'aZ09_-'), async (place, character) => {
      const tampered = cursor.slice(0, place) + character + cursor.slice(place + 1)
      const answer = await ask({ method: 'GET', path: `/tags?limit=1&cursor=${tampered}` })
      expect([200, 400], tampered).toContain(answer.status)
    }),
    runs(60),
  )
})

test('a body over the limit, mostly 1 MiB', async () => {
  const taking = endpoints.filter(({ method }) => method !== 'GET')
  // Every fourth in `npm test`: the limit is checked in one place.
  for (const endpoint of taking.filter((_, index) => isSoak || index % 4 === 0)) {
    const most = endpoint.largest_body ?? 1024 * 1024
    const question = { ...rightQuestion(endpoint, ids, undefined), body: `"${'x'.repeat(most)}"` }
    const answer = await ask(question)
    expect(expectRefusal(question, answer).type).toBe('body_too_large')
  }
})

test('the bodies that the attacks start from are right', async () => {
  await using w = await world()
  const tenant = await w.tenant()
  const rightAsk = requester(w.url, tenant.token)
  const own = await plantOneOfEach(rightAsk, tenant, w)
  // Legal holds are an owner's, and applications are refused. A card is replaced once.
  const others = ['device.issue_credentials', 'legal_hold.create', 'legal_hold.edit', 'member_card.replace']
  const taking = endpoints.filter(({ id, body }) => body !== undefined && !others.includes(id))
  for (const endpoint of taking)
    for (const body of validBodies(own)[endpoint.id] as readonly Body[])
      if (!('id' in body)) await succeed(rightAsk, rightQuestion(endpoint, own, body))
})
