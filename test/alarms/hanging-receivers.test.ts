import { type Receiver, receiver, type Tenant, type World, world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { startTelling } from '../../packages/server/src/telling/sending/start-telling.ts'
import { openTellings } from './tellings.ts'

/** With so many messages of so many organizations, each of the 512 that may be on their way at once is taken. */
const organizations = 33
const messages = 16

/** Creates a forced door, of which as many targets are to be told. */
async function forceDoor(w: World, tenant: Tenant, { url }: Receiver, targets: number): Promise<void> {
  const { notification_targets, alarm_rules } = tenant.client
  const { begin } = await openTellings(w, tenant, ['Front door'])
  const create = () => notification_targets.create({ kind: 'ntfy', url, topic: 'doors' })
  const created = await Promise.all(Array.from({ length: targets }, create))
  const notify = created.map(({ id }) => ({ notification_target_id: id }))
  await alarm_rules.create({ name: 'Doors', types: ['door_forced'], notify })
  await begin('door_forced')
}

/** Copies an organization, as far as telling its alarms reads it. */
async function copyOrganization(w: World, { organization_id }: Tenant, copies: number): Promise<void> {
  const tables = [
    'sites',
    'devices',
    'gadgets',
    'notification_targets',
    'alarm_rules',
    'alarms',
    'alarm_tellings',
  ]
  const columns = new Map([
    ['organizations', 'id'],
    ...tables.map(table => [table, 'organization_id'] as const),
  ])
  for (const [table, column] of columns)
    await w.server.context.db.query(
      `INSERT INTO ${table} SELECT (copy).* FROM (
         SELECT jsonb_populate_record(t, jsonb_build_object('${column}', 'org_' || lpad(n::text, 20, '0'))) AS copy
         FROM ${table} t, generate_series(1, $2::integer) n WHERE t.${column} = $1) AS copies`,
      [organization_id, copies],
    )
}

test('organizations whose receivers hang delay no message of another', async () => {
  await using hanging = await receiver(() => undefined)
  await using answering = await receiver()
  await using w = await world()
  const stuck = await w.tenant('Stuck')
  await forceDoor(w, stuck, hanging, messages)
  await copyOrganization(w, stuck, organizations - 1)
  const { db, timers } = w.server.context
  await using _telling = startTelling(w.server.context)
  w.clock.advance(3)
  const queued = async () => {
    const rows = await db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM notifications WHERE status = 'pending' AND message_id IS NOT NULL`,
    )
    return rows[0]?.count
  }
  await expect.poll(queued).toBe(organizations * messages)
  await hanging.waitFor(480, 20_000)

  await forceDoor(w, await w.tenant('Other'), answering, 1)
  const begin = timers.elapsed()
  w.clock.advance(3)
  await answering.waitFor(1, 9_000)
  // Those that hang still do: nothing was given up meanwhile, which takes 10 s.
  expect(timers.elapsed() - begin).toBeLessThan(10_000)
  w.timers.advance(11_000)
})
