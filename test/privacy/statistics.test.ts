import { type Tenant, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../packages/server/src/flow/present.ts'
import { plantAlarm } from '../properties/plant-alarms.ts'
import { workUntil } from './erase.ts'

let w: World
let tenant: Tenant

beforeAll(async () => {
  w = await world({ delivery: true })
  tenant = await w.tenant()
})
afterAll(() => w[Symbol.asyncDispose]())

/** Columns of tables, and what indexes are built of, whose statistics quote a text. */
async function quoting(text: string): Promise<string[]> {
  const rows = await w.server.context.db.query<{ name: string }>(
    `SELECT DISTINCT regexp_replace(coalesce(i.indrelid, s.starelid)::regclass::text, '_[0-9_]+$', '') || ' '
       || CASE WHEN i.indexrelid IS NULL THEN a.attname ELSE pg_get_indexdef(i.indexrelid, s.staattnum, true) END AS name
     FROM pg_statistic s JOIN pg_attribute a ON a.attrelid = s.starelid AND a.attnum = s.staattnum LEFT JOIN pg_index i ON i.indexrelid = s.starelid
     WHERE position($1 IN concat_ws(' ', s.stavalues1::text, s.stavalues2::text, s.stavalues3::text, s.stavalues4::text, s.stavalues5::text)) > 0
     ORDER BY name`,
    [text],
  )
  return rows.map(({ name }) => name)
}

async function sealed(member_id: string): Promise<string[]> {
  const rows = await w.server.context.db.query<{ salt: string | null }>(
    `SELECT encode(l.salt, 'hex') AS salt FROM events e LEFT JOIN audit_links l ON l.organization_id = e.organization_id AND l.event_id = e.id
     WHERE e.organization_id = $1 AND (e.subject->>'member_id' = $2 OR e.object->>'member_id' = $2)`,
    [tenant.organization_id, member_id],
  )
  return rows.flatMap(({ salt }) => salt ?? [])
}

test('the statistics of the database keep neither an erased member nor the salts of its events', async () => {
  const { client } = tenant
  const { db } = w.server.context
  const { id: site_id } = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
  const device = await client.devices.create({ name: 'C', site_id, product_id: 'controller' })
  const door = await client.gadgets.create({ name: 'Door', device_id: device.id })
  const groups = ['Guests', 'Pool'].map(name =>
    client.member_groups.create({ name, permissions: [{ gadget_id: door.id }] }),
  )
  const { id, pins } = await client.grants.create({
    external_id: 'R-1',
    member: {},
    member_group_ids: (await Promise.all(groups)).map(group => group.id),
    credentials: { pin: {} },
  })
  const [pin] = pins ?? []
  for (let uses = 0; uses < 5; uses++) await client.devices.simulate(device.id, { keys: `${pin?.pin}#` })
  await expect.poll(async () => (await sealed(id)).length).toBe(9)
  const salts = await sealed(id)
  await db.query('ANALYZE', [], { prepare: false })
  const ofPin = "events (subject ->> 'member_pin_id'::text)"
  const ofMember = ['events object', "events (object ->> 'member_id'::text)"]
  expect(await quoting(id)).toEqual(
    expect.arrayContaining([
      ...ofMember,
      "events (subject ->> 'member_id'::text)",
      'member_group_associations member_id',
    ]),
  )
  expect(await quoting(pin?.id ?? '')).toContain(ofPin)

  const begun = await client.erasures.create({ member_id: id })
  await workUntil(w, client, begun.id, 'done')
  // Of the two events that tell others.
  expect((await quoting(id)).filter(name => !ofMember.includes(name))).toEqual([])
  expect(await quoting(pin?.id ?? '')).toEqual([])
  for (const salt of salts) expect(await quoting(salt)).toEqual([])
})

test('nor what was being changed while its row was erased', async () => {
  const { client, organization_id } = tenant
  const { context } = w.server
  const { db } = context
  const { data: gadgets } = await client.gadgets.list({ limit: 1 })
  const [door] = gadgets
  const places = { site: door?.site_id ?? '', device: door?.device_id ?? '', gadget: door?.id ?? '' }
  const members = await Promise.all(['Ada', 'Bea'].map(name => client.members.create({ name })))
  const notes = await Promise.all(
    members.map(async ({ id }) => {
      const note = `note about ${id}`
      const more = { member_id: id, condition_key: `access_denied_often:${id}`, note }
      return { note, alarm: await plantAlarm(context, organization_id, places, more) }
    }),
  )
  const { note, alarm } = present(notes[0], 'an alarm')
  const { id } = present(members[0], 'a member')
  const waits = async () => (await db.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const change = db.transaction(async inner => {
    await inner.query('UPDATE alarms SET occurrence_count = 2 WHERE organization_id = $1 AND id = $2', [
      organization_id,
      alarm.id,
    ])
    await released
  })
  const begun = await client.erasures.create({ member_id: id })
  const done = workUntil(w, client, begun.id, 'done')
  await expect.poll(waits).toBe(true)
  release()
  await Promise.all([change, done])
  const [row] = await db.query('SELECT note, occurrence_count FROM alarms WHERE id = $1', [alarm.id])
  expect(row).toEqual({ note: null, occurrence_count: 2 })
  expect(await quoting(note)).toEqual([])
})
