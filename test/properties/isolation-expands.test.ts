import {
  type Endpoint,
  type Expand,
  endpoints,
  type Kind,
  type Resource,
  resourceOf,
} from '@gatehouse-access/api'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rightQuestion } from './bad-requests.ts'
import { neverId } from './one-of-each.ts'
import { type Settled, settleTwo } from './two-organizations.ts'

const owned = new AsyncDisposableStack()
let w: World
let theirs: Settled
let ours: Settled

beforeAll(async () => {
  w = owned.use(await world())
  ;({ theirs, ours } = await settleTwo(w))
})
afterAll(() => owned.disposeAsync())

/** What organizations share, and the actors in them. None of these belongs to an organization. */
const shared = ['product', 'user', 'oauth_application']

describe('expands of references that should not be there', () => {
  const gets = endpoints.filter(({ verb }) => verb === 'get')
  test.each(gets.map(endpoint => [endpoint.id, endpoint] as const))('%s', async (_id, endpoint) => {
    for (const [name, expand] of Object.entries(endpoint.resource.expands))
      if (!shared.includes(expand.kind) && !isKey(endpoint.resource, expand))
        await askExpand(endpoint, name, expand)
  })
})

/** The organization and the parent identify an object. With another one, the object is not found at all. */
function isKey({ parent }: Resource, { field, how }: Expand): boolean {
  return how === 'one' && (field === 'organization_id' || field === `${parent}_id`)
}

async function askExpand(endpoint: Endpoint, name: string, expand: Expand): Promise<void> {
  const { method, path } = rightQuestion(endpoint, ours.ids, undefined)
  const kind = expand.kind as Kind
  const asked = async (id: string) => {
    await force(endpoint.resource, expand, id)
    const { status, text } = await ours.ask({ method, path: `${path}?expand=${name}` })
    expect(status, text).toBe(200)
    return text.replaceAll(theirs.ids[kind], '<id>').replaceAll(neverId(kind), '<id>')
  }
  const never = await asked(neverId(kind))
  expect(await asked(theirs.ids[kind]), `${endpoint.id} ${name}`).toBe(never)
  const isSingle = expand.how === 'one' || expand.how === 'last'
  expect(never).not.toContain(isSingle ? `"${name.split('.').at(-1)}":{` : `"${name}":[{`)
}

/** Bypasses every check: our object refers to theirs, or theirs refers to ours. */
async function force(resource: Resource, expand: Expand, id: string): Promise<void> {
  await w.server.context.db.transaction(async db => {
    await db.query('SET LOCAL session_replication_role = replica')
    for (const [text, params] of forcing(resource, expand, id)) await db.query(text, params)
  })
}

type Forcing = [text: string, params: unknown[]][]

function forcing(
  { table, kind }: Resource,
  { how, field, inside, kind: other }: Expand,
  id: string,
): Forcing {
  const own = ours.ids[kind as Kind]
  const child = { table: resourceOf(other).table, field }
  if (how === 'many') return forcingChildren(child, own, id)
  if (how === 'last') return [...forcingChildren(child, own, id), ...takingChildren(child, own, kind as Kind)]
  const set = (column: string, value: unknown): Forcing => [
    [`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, own]],
  ]
  const [column, key] = field.split('.') as [string, string?]
  if (inside) return set(inside, [{ [field]: id }])
  if (key) return [[`UPDATE ${table} SET ${column} = ${column} || $1 WHERE id = $2`, [{ [key]: id }, own]]]
  return set(column, how === 'all' ? [id] : id)
}

interface Child {
  readonly table: string
  readonly field: string
}

/** Assigns their child to our object and deletes our own children, so that only theirs could appear. */
function forcingChildren({ table, field }: Child, own: string, id: string): Forcing {
  return [
    [`UPDATE ${table} SET ${field} = $1 WHERE id = $2`, [own, id]],
    [
      `UPDATE ${table} SET is_deleted = true WHERE ${field} = $1 AND organization_id = $2`,
      [own, ours.ids.organization],
    ],
  ]
}

/** Takes our own children away, because those that are deleted could appear, too. */
function takingChildren({ table, field }: Child, own: string, kind: Kind): Forcing {
  return [
    [
      `UPDATE ${table} SET ${field} = $3 WHERE ${field} = $1 AND organization_id = $2`,
      [own, ours.ids.organization, neverId(kind)],
    ],
  ]
}
