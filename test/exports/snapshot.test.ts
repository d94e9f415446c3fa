import { parseCsv } from '@gatehouse-access/core'
import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { exportJob } from '../../packages/server/src/services/exports/export-job.ts'
import { storeInput } from '../../packages/server/src/services/jobs/job-data.ts'
import { JobRunner } from '../../packages/server/src/services/jobs/run-jobs.ts'
import { findSealed } from '../../packages/server/src/services/jobs/sealed-jobs.ts'

const count = 2500
const owned = new AsyncDisposableStack()
let w: World
let tenant: Tenant

beforeAll(async () => {
  w = owned.use(await world())
  tenant = await w.tenant()
  const { id } = await tenant.client.members.create({ name: 'One of many' })
  await w.server.context.db.query(
    `INSERT INTO members SELECT (jsonb_populate_record(NULL::members, to_jsonb(m) || jsonb_build_object('id', 'mem_' || lpad(n::text, 20, '0')))).*
     FROM (SELECT * FROM members WHERE id = $1) m, generate_series(2, ${count}) n`,
    [id],
  )
})
afterAll(() => owned.disposeAsync())

const body = { kind: 'members', format: 'csv' as const, columns: ['id', 'name'] }

function idsOf(csv: string): string[] {
  return parseCsv(csv)
    .slice(1)
    .map(({ cells }) => cells[0] ?? '')
}

test('an export shows one moment, whatever is written while it runs', async () => {
  const { context } = w.server
  const { id } = await tenant.client.exports.create(body)
  const sealed = present(await findSealed(context, tenant.organization_id, id), 'a job')
  const signal = new AbortController().signal
  const work = await exportJob.begin({ ...sealed, context, input: sealed, undone: undefined, signal })
  let text = ''
  let cursor: object | null = null
  for (let page = 1, isDone = false; !isDone; page++) {
    await work.prepare?.(cursor as never)
    // What was not stored is not read again.
    await work.prepare?.(cursor as never)
    if (page === 1) await tenant.client.members.create({ name: 'Late' })
    const result = await work.run(undefined as never)
    text += Buffer.concat((result.parts ?? []).map(({ bytes }) => bytes)).toString()
    cursor = result.cursor
    isDone = result.is_done
  }
  await work[Symbol.asyncDispose]?.()
  await tenant.client.jobs.cancel(id)
  expect(text).not.toContain('Late')
  expect(new Set(idsOf(text)).size).toBe(count)
  expect(idsOf(text)).toHaveLength(count)
})

test('whoever goes on after a crash begins anew, since the moment is over', async () => {
  const { context } = w.server
  const { id } = await tenant.client.exports.create(body)
  const { key } = present(await findSealed(context, tenant.organization_id, id), 'a job')
  const of = { organization_id: tenant.organization_id, job_id: id, key }
  await storeInput(context.db, of, 0, Buffer.from('left over'), context.clock.now())
  await context.db.query(
    `WITH held AS (DELETE FROM job_inputs WHERE job_id = $1 RETURNING *)
     INSERT INTO job_files (organization_id, job_id, name, number, bytes, ciphertext) SELECT organization_id, job_id, 'members.csv', 0, 9, ciphertext FROM held`,
    [id],
  )
  await context.db.query(
    `UPDATE jobs SET state = 'running', started_at = created_at, cursor = '{"pages": 1}', progress = progress || '{"done": 1000, "succeeded": 1000}' WHERE id = $1`,
    [id],
  )
  await using _ = new JobRunner(context, { export: exportJob })
  const job = await tenant.client.jobs.wait(id)
  expect(job.state).toBe('succeeded')
  const answer = await fetch(`${w.url}/v2/jobs/${id}/files/members.csv`, {
    headers: { authorization: `Bearer ${tenant.token}` },
  })
  const ids = idsOf(await answer.text())
  expect(new Set(ids).size).toBe(ids.length)
  expect(job.progress).toMatchObject({ done: ids.length, succeeded: ids.length, total: ids.length })
})
