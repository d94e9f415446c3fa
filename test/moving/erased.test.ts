import { join } from 'node:path'
import { noPrivacy } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { type Client, createClient, etagOf } from '@gatehouse-access/sdk'
import { issueAccessToken, runRetention, verifyAudit, writeCheckpoint } from '@gatehouse-access/server'
import { makeEmptyFolder, type Tenant, within } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { openHouse } from '../doors/house.ts'
import { workUntil } from '../privacy/erase.ts'
import { neverId } from '../properties/one-of-each.ts'
import { type Installation, installation } from './installation.ts'

const day = 86_400
const gadget_id = neverId('gadget')

async function waitForChain({ w }: Installation): Promise<void> {
  const unlinked = `SELECT 1 FROM events e WHERE NOT EXISTS (
    SELECT 1 FROM audit_links l WHERE l.organization_id = e.organization_id AND l.event_id = e.id)`
  await expect.poll(() => w.server.context.db.query(unlinked), { timeout: 60_000 }).toEqual([])
}

/** Gives the organization a history whose oldest events are reports of doors. */
async function beginWithReports(here: Installation, organization_id: string): Promise<void> {
  await waitForChain(here)
  const { db, clock } = here.w.server.context
  for (const table of ['events', 'audit_links', 'audit_heads'] as const)
    await db.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organization_id])
  const object = { type: 'gadget_state', gadget_id, gadget_state_id: 'open' } as const
  const recorded_at = addSeconds(clock.now(), -20 * day)
  await logEvents(db, Array(9).fill({ organization_id, subject: {}, verb: 'edit', object, recorded_at }))
}

/** Lets the reports expire, by which the chain begins later, and takes who used a door long ago out of the event. */
async function expire(here: Installation, organization_id: string, member_id: string): Promise<void> {
  const { context } = here.w.server
  const { db, clock } = context
  const object = { type: 'gadget_action', gadget_id, gadget_action_id: 'open' } as const
  const subject = { member_id, access_method: 'pin' } as const
  const recorded_at = addSeconds(clock.now(), -40 * day)
  await logEvents(db, [{ organization_id, subject, verb: 'use', object, recorded_at }])
  await waitForChain(here)
  await writeCheckpoint(context)
  const privacy = { ...noPrivacy, device_days: 7, access_days: 30 }
  await db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [organization_id, privacy])
  expect(await runRetention(context)).toBe(10)
}

async function hold(here: Installation, organization_id: string, member_id: string): Promise<string> {
  const { db, clock } = here.w.server.context
  const id = neverId('legal_hold')
  await db.query(
    `INSERT INTO legal_holds (id, organization_id, name, member_ids, expires_at, is_deleted, created_at, metadata, search_text)
     VALUES ($1, $2, 'Case', $3, $4, false, $5, '{}', 'case')`,
    [id, organization_id, [member_id], addSeconds(clock.now(), 10 * day), clock.now()],
  )
  return id
}

function verify({ w }: Installation) {
  const { db, config } = w.server.context
  return verifyAudit(db, { secret_keys: config.secret_keys })
}

async function move(from: Installation, to: Installation, organization_id: string, file: string) {
  const { stdout, stderr } = await from.run([
    'organization',
    'export',
    organization_id,
    '--to',
    file,
    '--json',
  ])
  expect(stderr).toContain('100 %')
  const said = await to.run(['organization', 'import', file, '--json'], JSON.parse(stdout).key)
  expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('100 %')])
  await waitForChain(to)
}

async function clientOf(
  { w }: Installation,
  { organization_id, oauth_application_id }: Tenant,
): Promise<Client> {
  const ids = { organization_id, oauth_application_id, scopes: ['full_read_write'] }
  return createClient({ base_url: `${w.url}/v2`, token: await issueAccessToken(w.server.context, ids) })
}

test(
  'erasures, holds, emergencies and a chain of which parts are gone move, and go on where they arrive',
  within(60),
  async () => {
    await using here = await installation()
    await using there = await installation()
    await using folder = await makeEmptyFolder()
    const tenant = await here.w.tenant('Hotel')
    const { organization_id, client } = tenant
    await beginWithReports(here, organization_id)
    const add = async (name: string) => (await client.members.create({ name })).id
    const [ada, bob, cid, dan, eva] = [
      await add('Ada'),
      await add('Bob'),
      await add('Cid'),
      await add('Dan'),
      await add('Eva'),
    ]
    await expire(here, organization_id, eva)
    const { doors } = await openHouse(client, ['Front', 'Back'])
    const [front = '', back = ''] = doors
    await client.gadgets.mode(back, { mode: 'unlocked', lasts: 'indefinitely' })
    const emergency = await client.emergencies.create({ type: 'lockdown', targets: { gadget_ids: [front] } })

    const erase = async (member_id: string, more: object = {}) =>
      (await client.erasures.create({ member_id, ...more })).id
    await client.gadgets.execute_as_member(front, 'open', { member_id: bob }).catch(() => undefined)
    await workUntil(here.w, client, await erase(ada), 'done')
    await workUntil(here.w, client, await erase(bob, { events: 'delete' }), 'done')
    const begun = await erase(cid)
    const held = await hold(here, organization_id, dan)
    const blocked = await erase(dan)
    const scheduled = await erase(eva, { scheduled_at: addSeconds(here.w.clock.now(), 5 * day) })
    await waitForChain(here)
    const { checkpoints: _signed, ...before } = await verify(here)
    expect(before).toMatchObject({ breaks: [], expired: 9, erased: 1 })
    expect(before.amended).toBeGreaterThan(1)
    expect(before.unreceipted).toBe(1)

    await move(here, there, organization_id, join(folder.path, 'one.export'))
    expect(await verify(there)).toMatchObject({ ...before, events: before.events + 1 })
    const moved = await clientOf(there, tenant)
    for (const [kind, id] of [
      ['erasures', begun],
      ['erasures', blocked],
      ['erasures', scheduled],
      ['legal_holds', held],
      ['emergencies', emergency.id],
    ] as const)
      expect(etagOf(await moved[kind].get(id))).toBe(etagOf(await client[kind].get(id)))
    expect((await moved.gadgets.get(front)).mode).toMatchObject({ effective: 'lockdown' })
    expect((await moved.gadgets.get(back)).mode).toMatchObject({ effective: 'unlocked' })

    await workUntil(there.w, moved, begun, 'done')
    await workUntil(there.w, moved, blocked, 'blocked')
    there.w.clock.advance(11 * day)
    const later = await clientOf(there, tenant)
    for (const id of [blocked, scheduled]) await workUntil(there.w, later, id, 'done')
    for (const id of [cid, dan, eva]) expect(await later.members.get(id)).toMatchObject({ name: null })
    await runRetention(there.w.server.context)
    await waitForChain(there)
    await writeCheckpoint(there.w.server.context)
    expect(await verify(there)).toMatchObject({ breaks: [], unreceipted: 0, expired: 9 })
  },
)
