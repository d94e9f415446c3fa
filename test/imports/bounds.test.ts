import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parseCsv } from '@gatehouse-access/core'
import { soak, type Tenant, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../packages/server/src/database/db.ts'
import { ConnectionError } from '../../packages/server/src/database/postgres/wire/errors.ts'
import { createApp } from '../../packages/server/src/http/app.ts'
import { kindsMade } from '../../packages/server/src/services/imports/members/take-rooms.ts'
import { jobTypes } from '../../packages/server/src/services/job-types.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { ended, fileOf, importFile } from './importing.ts'

const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world({ rate_limit: 0 }))
  owned.use(new JobRunner(w.server.context, jobTypes))
})
beforeEach(async () => {
  tenant = await w.tenant()
})
afterAll(() => owned.disposeAsync())

function lines(count: number): string {
  return `external_id\n${Array.from({ length: count }, (_, n) => `E${n}\n`).join('')}`
}

test('a cell with more values than anybody can have is one error, not one for each', async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `g${index}`).join(';')
  const job = await importFile(tenant, `external_id,groups\nA,"${names}"\n`)
  expect(job.progress).toMatchObject({ failed: 1 })
  const [, row] = parseCsv(await fileOf(tenant, job, 'errors.csv'))
  expect(row?.cells.at(-1)).toContain('20000 values')
})

test('long rows are imported few at a time, and all of them', async () => {
  const long = 'x'.repeat(200_000)
  const rows = Array.from({ length: 12 }, (_, index) => `L${index},N${index},${index % 2 ? long : ''}\n`)
  const job = await importFile(tenant, `external_id,name,note\n${rows.join('')}`, { mapping: { note: null } })
  expect(job).toMatchObject({ state: 'succeeded', summary: { created: 12 } })
})

test('a PIN in a row that has lost a cell is not told either', async () => {
  const file = 'external_id,name,email,pin\nA,Ann,471147\nB,Bob,,,582258\nC,"Cat,\nD,Dan,,693369\n"\n'
  const job = await importFile(tenant, file)
  expect(job.progress).toMatchObject({ failed: 3 })
  const errors = await fileOf(tenant, job, 'errors.csv')
  for (const pin of ['471147', '582258', '693369']) expect(errors).not.toContain(pin)
  expect(errors).toContain('Ann')
})

test('a form with the same file and other settings is another request', async () => {
  const send = (settings: object) => {
    const form = new FormData()
    form.set('settings', JSON.stringify(settings))
    form.set('file', new Blob(['external_id,name\nA,Ann\n'], { type: 'text/csv' }), 'a.csv')
    return fetch(`${w.url}/v2/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.token}`, 'idempotency-key': 'one' },
      body: form,
    })
  }
  const first = await send({ dry_run: true })
  expect(first.status).toBe(200)
  expect((await send({ dry_run: false })).status).toBe(422)
  const again = await send({ dry_run: true })
  expect(await again.json()).toMatchObject({ id: ((await first.json()) as { id: string }).id })
})

test.each([
  ['200,001 rows', () => lines(200_001), {}, '200001 rows; at most 200000'],
  ['5,001 rows, all or none', () => lines(5001), { on_row_error: 'rollback' }, '5001 rows; at most 5000'],
  [
    'more than 16 MiB, all or none',
    () => `external_id,note\n${`,${'x'.repeat(200_000)}\n`.repeat(90)}`,
    { on_row_error: 'rollback', mapping: { note: null } },
    'bytes; at most 16777216',
  ],
] as const)('%s are refused before there is a job', async (_what, file, wish, message) => {
  await expect(tenant.client.imports.create(file(), wish)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  })
  expect((await tenant.client.jobs.list({})).data).toEqual([])
})

test('a file of more than 100 MiB is refused before it is read', async () => {
  const headers = {
    authorization: `Bearer ${tenant.token}`,
    'content-type': 'text/csv',
    'content-length': 102 * 1024 * 1024,
  }
  const asked = request(`${w.url}/v2/imports`, { method: 'POST', headers }).on('error', () => {})
  asked.flushHeaders()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(413)
  asked.destroy()
})

soak('of more than 10,000 row errors all are counted, and the first are kept', within(60), async () => {
  const job = await importFile(tenant, `external_id,email\n${'A,x\n'.repeat(10_020)}`, { dry_run: true })
  expect(job.progress).toMatchObject({ done: 10_020, failed: 10_020 })
  expect(job.notices).toContain('Only the first 10000 row errors are kept.')
  expect(parseCsv(await fileOf(tenant, job, 'errors.csv'))).toHaveLength(10_001)
})

test('an upload whose commit was not answered leaves its job the file', async () => {
  const { context } = w.server
  let isLost = false
  const transaction: Database['transaction'] = async (work, ...more) => {
    const result = await context.db.transaction(work, ...more)
    const [job] = await context.db.query('SELECT 1 FROM jobs WHERE organization_id = $1', [
      tenant.organization_id,
    ])
    if (!job || isLost) return result
    isLost = true
    throw new ConnectionError('CONNECTION_CLOSED', 'the connection was closed')
  }
  const db = Object.create(context.db, { transaction: { value: transaction } })
  const app = createApp({ ...context, db })
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/v2/imports',
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'text/csv' },
    payload: 'external_id,name\nA,Ann\n',
  })
  await app.close()
  expect([isLost, statusCode]).toEqual([true, 503])
  const [job] = (await tenant.client.jobs.list({})).data
  expect(await ended(tenant.client, String(job?.id))).toMatchObject({
    state: 'succeeded',
    summary: { created: 1 },
  })
})

test('who was erased does not come back by an import', async () => {
  const { id } = await tenant.client.members.create({ name: 'Ann' })
  await tenant.client.members.erase(id, {})
  const job = await importFile(tenant, `id,name\n${id},Ghost\n`)
  expect(job.progress).toMatchObject({ failed: 1, succeeded: 0 })
  expect(await tenant.client.members.get(id)).toMatchObject({ name: null, is_deleted: true })
})

test('files that wait to be imported, and those that jobs have written, take so much room and no more', async () => {
  const { db } = w.server.context
  const fill = (table: string, columns: string, values: string, chunks: number) =>
    db.query(
      `INSERT INTO ${table} (organization_id, job_id, number, ciphertext, ${columns}) SELECT $1, 'job_1', n, '', ${values} FROM generate_series(1, $2::integer) AS n`,
      [tenant.organization_id, chunks],
    )
  await fill('job_inputs', 'created_at', 'now()', 16_384)
  await expect(tenant.client.imports.create('external_id\nA\n')).rejects.toMatchObject({ status: 429 })
  await fill('job_files', 'name, bytes', `'a', 0`, 81_920)
  const wish = { kind: 'members', format: 'csv' } as const
  await expect(tenant.client.exports.create(wish)).rejects.toMatchObject({ status: 429 })
  const other = await w.tenant()
  expect(await other.client.exports.create(wish)).toMatchObject({ type: 'export' })
})

test('an import counts again only what its file can make more of', () => {
  const made = (columns: string[], defaults = {}) => kindsMade({ columns, import: { defaults } })
  expect(made(['external_id', 'name'])).toEqual(['member'])
  expect(made(['card_printed_code'], { pin: 'new' })).toEqual(['member', 'member_card', 'member_pin'])
  expect(made(['card_uid', 'email', 'groups', 'magic_link'])).not.toContain('member_pin')
})
