import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compiled, manyOr, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'

const members = manyOr(300)
const tenants = 2
let w: World

beforeEach(async () => {
  w = await world()
})
afterEach(() => w[Symbol.asyncDispose]())

it(
  `deletes each of ${members} due members once, with one event, when several processes do it at once`,
  within(120),
  async () => {
    const due = (await Promise.all(Array.from({ length: tenants }, plant))).flat()
    const counts = await expireIn(3)
    expect(counts.reduce((sum, count) => sum + count)).toBe(members)
    const { db } = w.server.context
    expect(await db.query('SELECT 1 FROM members WHERE NOT is_deleted')).toEqual([])
    expect(await deletions()).toEqual(due.sort().map(id => ({ id, count: 1 })))
    const [claims] = await db.query(
      `SELECT (SELECT count(*)::integer FROM member_pins WHERE is_claimed) AS pins,
       (SELECT count(*)::integer FROM member_cards WHERE is_claimed) AS cards`,
    )
    expect(claims).toEqual({ pins: 0, cards: 0 })
    expect(counts.filter(count => count > 0).length).toBeGreaterThan(1)
  },
)

it('names nobody as the subject, and frees PINs and cards for others', async () => {
  const tenant = await w.tenant()
  const body = { ...ended, credentials: { pin: { pin: '83520174' }, card: { uid: '04A1B2C3' } } }
  const { id } = await grant(tenant, body)
  expect(await expireIn(1)).toEqual([1])
  const path = `/events?object.type=member&verb=delete&object.member_id=${id}`
  const { data } = (await (await call(tenant, 'GET', path)).json()) as { data: { subject: object }[] }
  expect(data.length).toBe(1)
  expect(Object.entries(data[0]?.subject ?? {}).filter(([, value]) => value !== null)).toEqual([])
  const heir = await grant(tenant, { ...body, member: {} })
  expect(heir.id).not.toBe(id)
  expect((await call(tenant, 'PATCH', `/members/${id}`, { is_deleted: false })).status).toBe(400)
})

const ended = { member: { ends_at: '2020-01-01T00:00:00Z' }, member_group_ids: [] }

/** Creates one organization's share of the due members, each with a PIN, some with a card. */
async function plant(): Promise<string[]> {
  const tenant = await w.tenant()
  const ids: string[] = []
  const next = Array.from({ length: members / tenants }, (_, index) => index)
  const plantNext = async () => {
    for (let index = next.pop(); index !== undefined; index = next.pop()) {
      const card = index % 5 === 0 && { card: { uid: `04${String(index).padStart(6, '0')}` } }
      ids.push((await grant(tenant, { ...ended, credentials: { pin: {}, ...card } })).id)
    }
  }
  await Promise.all([plantNext(), plantNext(), plantNext(), plantNext()])
  return ids
}

async function grant(tenant: Tenant, body: object): Promise<{ id: string }> {
  const answer = await call(tenant, 'POST', '/grants', body)
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string }
}

function call({ token }: Tenant, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${w.url}/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const server = JSON.stringify(fileURLToPath(import.meta.resolve('@gatehouse-access/server')))
const program = `
  const { connect, expireMembers, systemClock } = await import(${server})
  await using db = connect({ url: process.env.DATABASE_URL })
  await db.query('SELECT 1')
  process.stdout.write('ready ')
  for await (const _go of process.stdin);
  const idle = { feed: { wake() {} }, metrics: { count() {} } }
  process.stdout.write(String(await expireMembers({ db, clock: systemClock, ...idle })))`

/** Runs the job in several processes at the same moment. Returns how many members each of them deleted. */
async function expireIn(processes: number): Promise<number[]> {
  const children = await Promise.all(Array.from({ length: processes }, startProcess))
  for (const { stdin } of children) stdin.end()
  return Promise.all(children.map(async ({ stdout }) => Number(await text(stdout))))
}

async function startProcess() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, DATABASE_URL: w.database_url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

function deletions() {
  return w.server.context.db.query<{ id: string; count: number }>(
    `SELECT object->>'member_id' AS id, count(*)::integer AS count FROM events
     WHERE verb = 'delete' AND object->>'type' = 'member' GROUP BY 1 ORDER BY 1`,
  )
}
