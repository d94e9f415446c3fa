import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { gatehouse } from './gatehouse.ts'

test('a whole log is told to be whole, and the first altered event is named', async () => {
  await using w = await world({ delivery: true })
  const { client, organization_id } = await w.tenant('Hotel')
  await client.members.create({ name: 'Ada' })
  const { db, config } = w.server.context
  const links = async () => (await db.query('SELECT 1 FROM audit_links')).length
  await expect.poll(links).toBe(2)
  const env = {
    DATABASE_URL: w.database_url,
    GATEHOUSE_SECRET_KEY: config.secret_keys[0]?.toString('base64') ?? '',
  }
  const whole = await gatehouse(['audit', 'verify'], env)
  expect([whole.code, whole.stdout]).toEqual([
    0,
    '2 events of 1 organizations are as they were sealed (0 erased, 0 expired, 0 amended, 0 checkpoints).\n',
  ])
  const [row] = await db.query<{ id: string }>(
    `UPDATE events SET verb = 'edit' WHERE verb = 'create' AND object->>'type' = 'member' RETURNING id`,
  )
  const broken = await gatehouse(['audit', 'verify'], env)
  expect([broken.code, broken.stderr]).toEqual([
    1,
    `${organization_id}, link 2: event ${row?.id} was altered\n`,
  ])
})
