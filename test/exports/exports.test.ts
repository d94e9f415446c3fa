import { parseCsv } from '@gatehouse-access/core'
import { slowness, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { errorOf } from '../jobs/tag-job.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  owned.use(new JobRunner(w.server.context, jobTypes))
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

const patience = { timeout: 20_000 * slowness(), interval: 20 }

function ask(path: string, token = tenant.token): Promise<Response> {
  return fetch(`${w.url}/v2${path}`, { headers: { authorization: `Bearer ${token}` } })
}

type Body = Parameters<Tenant['client']['exports']['create']>[0]

async function exportAll(body: Body): Promise<string> {
  const { id } = await tenant.client.exports.create(body)
  const job = await tenant.client.jobs.wait(id)
  expect(job).toMatchObject({ type: 'export', state: 'succeeded', error: null })
  const [file] = job.files
  const answer = await ask(`/jobs/${id}/files/${file?.name}`)
  const text = await answer.text()
  expect(Buffer.byteLength(text)).toBe(file?.bytes)
  return text
}

/** Rows by column. */
function tableOf(csv: string): Record<string, string>[] {
  const [head, ...rows] = parseCsv(csv)
  return rows.map(({ cells }) =>
    Object.fromEntries((head?.cells ?? []).map((name, index) => [name, cells[index] ?? ''])),
  )
}

async function fillMembers() {
  const { client } = tenant
  const group = await client.member_groups.create({ name: 'Staff' })
  const twin = await client.member_groups.create({ name: 'Twin' })
  await client.member_groups.create({ name: 'twin' })
  const tag = await client.tags.create({ name: 'VIP; gold', applies_to: ['member'] })
  const granted = await client.grants.create({
    external_id: 'R-1',
    member: { name: '=Ana, "A"', tag_ids: [tag.id], metadata: { floor: '3' }, language: 'de' },
    member_group_ids: [group.id, twin.id],
    credentials: {
      emails: ['ana@example.com', 'ana@example.org'],
      pin: {},
      magic_link: true,
      card: { uid: '04A1B2C3' },
    },
  })
  await client.members.create({ name: 'Ben', ends_at: '2030-01-01T00:00:00Z' })
  return { granted, twin, tag }
}

test('members are written with the columns that an import reads, and without secrets', async () => {
  const { granted, twin, tag } = await fillMembers()
  const csv = await exportAll({ kind: 'members', format: 'csv' })
  const [ana, ben] = tableOf(csv)
  expect(ana).toMatchObject({
    id: granted.id,
    external_id: 'R-1',
    name: `'=Ana, "A"`,
    email: 'ana@example.com;ana@example.org',
    groups: `Staff;${twin.id}`,
    language: 'de',
    card_uid: '04A1B2C3',
    tags: tag.id,
    is_deleted: 'false',
    'metadata.floor': '3',
  })
  expect(ben).toMatchObject({ name: 'Ben', ends_at: '2030-01-01T00:00:00.000000Z', 'metadata.floor': '' })
  const { pins = [], magic_links = [] } = granted
  const secrets = [pins[0]?.pin, magic_links[0]?.link.split('/').at(-1)]
  const lines = await exportAll({ kind: 'members', format: 'ndjson', expand: ['pins', 'magic_links'] })
  for (const secret of secrets) {
    expect(secret).toBeTruthy()
    expect(csv).not.toContain(secret)
    expect(lines).not.toContain(secret)
  }
  expect(await (await ask('/members/export?format=csv')).text()).toBe(csv)
})

test('lines of JSON are what the API answers', async () => {
  await fillMembers()
  const { client } = tenant
  for (const [kind, expand] of [
    ['members', ['emails', 'group_associations.member_group']],
    ['member_groups', []],
    ['cards', []],
    ['member_emails', ['member']],
  ] as const) {
    const lines = await exportAll({ kind, format: 'ndjson', expand: [...expand] })
    const rows = lines
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    if (kind === 'member_emails') {
      expect(rows.map(({ email }) => email).toSorted()).toEqual(['ana@example.com', 'ana@example.org'])
      continue
    }
    const { data } = await client[kind].list({ expand: [...expand] } as never)
    expect(rows).toEqual(data.toReversed())
  }
})

test('columns, filters and expands are those of the list', async () => {
  await fillMembers()
  const csv = await exportAll({
    kind: 'members',
    filter: { q: 'Ana', is_deleted: false },
    columns: ['name', 'metadata.floor', 'organization.name', 'tag_ids'],
    expand: ['organization'],
    format: 'csv',
  })
  expect(csv.split('\r\n')[0]).toBe('name,metadata.floor,organization.name,tag_ids')
  expect(tableOf(csv)).toHaveLength(1)
  expect(tableOf(csv)[0]).toMatchObject({ 'metadata.floor': '3', 'organization.name': 'Test organization' })
  const events = await exportAll({ kind: 'events', filter: { verb: 'create' }, format: 'csv' })
  const streamed = await (await ask('/events/export?format=csv&verb=create')).text()
  const known = new Set(tableOf(events).map(({ id }) => id))
  expect(tableOf(streamed).filter(({ id }) => known.has(id ?? ''))).toHaveLength(known.size)
})

describe('what is wrong is refused, and no job is made', () => {
  test.each([
    [{ kind: 'ghosts' }, 'kind'],
    [{ filter: { nonsense: 'x' } }, 'nonsense'],
    [{ filter: { cursor: 'x' } }, 'filter.cursor'],
    [{ filter: { name: { a: 1 } } }, 'filter.name'],
    [{ columns: ['pin_hash'] }, 'columns.0'],
    [{ expand: ['ghost'] }, undefined],
    [{ format: 'xlsx' }, 'format'],
  ])('%j', async (wrong, field) => {
    const body = { kind: 'members', format: 'csv', ...wrong } as Body
    const error = await tenant.client.exports.create(body).catch(error => error)
    expect(error.status).toBe(400)
    if (field) expect(error.args.field).toBe(field)
    expect((await tenant.client.jobs.list()).data).toEqual([])
  })
})

test('an empty list is an empty file', async () => {
  expect(await exportAll({ kind: 'cards', format: 'ndjson' })).toBe('')
  expect(tableOf(await exportAll({ kind: 'cards', format: 'csv' }))).toEqual([])
})

test('whoever only reads streams members, and makes no job', async () => {
  const reader = tenant.clientWith(['full_read_only'])
  expect(await errorOf(reader.exports.create({ kind: 'members', format: 'csv' }))).toBe('permission_denied')
  const token = await tenant.tokenWith(['full_read_only'])
  await expect
    .poll(async () => (await ask('/members/export?format=ndjson', token)).status, patience)
    .toBe(200)
  expect((await ask('/members/export?format=csv&limit=5')).status).toBe(400)
  expect((await ask('/members/export')).status).toBe(400)
})
