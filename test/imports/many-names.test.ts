import { slowness, within, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { areNamed } from '../../packages/server/src/services/imports/world-moved.ts'

test('many rows with many digests are compared with many changes in seconds', within(120), async () => {
  await using w = await world()
  const { organization_id } = await w.tenant()
  const { db } = w.server.context
  const job = { organization_id, id: 'job_1' }
  const digest = `encode(sha256(convert_to(n || ' ' || part, 'UTF8')), 'hex')`
  await db.query(
    `INSERT INTO job_rows (organization_id, job_id, number, outcome, object_id, etag)
     SELECT $1, $2, n, 'created', (SELECT ${digest} FROM (VALUES ('key')) AS p(part)),
       (SELECT string_agg(${digest}, ' ') FROM unnest('{card,code,pin}'::text[]) AS part)
     FROM generate_series(1, 50000) AS n`,
    [organization_id, job.id],
  )
  const others = Array.from({ length: 30_000 }, (_, n) => n.toString(16).padStart(64, '0'))
  const begun = performance.now()
  expect(await areNamed(db, job, others)).toBe(false)
  expect(performance.now() - begun).toBeLessThan(5000 * slowness())
  const [row] = await db.query<{ name: string }>(
    `SELECT split_part(etag, ' ', 3) AS name FROM job_rows WHERE organization_id = $1 AND job_id = $2 AND number = 40000`,
    [organization_id, job.id],
  )
  expect(await areNamed(db, job, [...others, row?.name ?? ''])).toBe(true)
})
