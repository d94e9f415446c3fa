import { hash } from 'node:crypto'
import { amendEvents, deriveAuditKey, receiptOf, unlinkEvent } from '@gatehouse-access/server'
import { manyOr } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeAct } from '../../packages/server/src/audit/amendments/amendment.ts'
import { deleteLinks, moveStart } from '../../packages/server/src/audit/amendments/start.ts'
import { canonicalEvent, digestEvent } from '../../packages/server/src/audit/chain.ts'
import type { EventColumns } from '../../packages/server/src/events/feed-event.ts'
import { present } from '../../packages/server/src/flow/present.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { countRows, dumpRows } from '../privacy/count-words.ts'
import { workUntil } from '../privacy/erase.ts'
import { type Ledger, openLedger } from './ledger.ts'

let l: Ledger
beforeEach(async () => {
  l = await openLedger()
})
afterEach(() => l[Symbol.asyncDispose]())

const first = async (...options: Parameters<Ledger['verify']>) => (await l.verify(...options)).breaks[0]
const key = () => deriveAuditKey(l.w.server.context.config.secret_keys[0] as Buffer)
const publicKeyOnly = () => ({ public_keys: [key().signing.public_key] })

const act = (name: string) => ({ organization_id: l.tenant.organization_id, act: name })

async function amend(
  name: string,
  ids: readonly string[],
  left: (event: EventColumns) => EventColumns | undefined = event => unlinkEvent(event),
) {
  return l.w.server.context.db.transaction(db => amendEvents(db, { key: key(), act: act(name) }, ids, left))
}

/** Writes the receipt of an act into the chain. */
async function close(name: string): Promise<string> {
  const { db, clock } = l.w.server.context
  const receipt_hash = await receiptOf(db, act(name))
  const { organization_id } = l.tenant
  const object = { type: 'organization' as const, organization_id, receipt_hash }
  const id = await db.transaction(async inner => {
    const drafts = [{ organization_id, subject: {}, verb: 'edit' as const, object, recorded_at: clock.now() }]
    const [id = ''] = await logEvents(inner, drafts)
    await closeAct(inner, act(name), id)
    return id
  })
  await expect.poll(() => l.run('SELECT 1 FROM audit_links WHERE event_id = $1', id)).toHaveLength(1)
  return id
}

test('a person is taken out of events, and everything verifies: with the service key and without', async () => {
  const [, ada = '', bob = ''] = await l.events()
  expect(await amend('ers_1', [ada, bob, 'evt_00000000000000000000'])).toMatchObject({
    early: ['evt_00000000000000000000'],
  })
  expect(await l.verify()).toMatchObject({ amended: 2, unreceipted: 2, breaks: [] })
  await close('ers_1')
  expect(await l.verify()).toMatchObject({ events: 5, amended: 2, erased: 0, unreceipted: 0, breaks: [] })
  expect(await l.verify(publicKeyOnly())).toMatchObject({ amended: 2, unreceipted: 0, breaks: [] })
  const event = await l.tenant.client.events.get(ada)
  expect(event).toMatchObject({ is_unlinked: true, verb: 'create', object: { type: 'member' } })
  expect(event.object.member_id ?? null).toBeNull()
  await l.checkpoint()
  expect((await l.verify()).breaks).toEqual([])
})

test('what is left of an event is as safe as before', async () => {
  const [, ada = '', bob = '', eve = ''] = await l.events()
  await amend('ers_1', [ada, bob])
  const receipt = await close('ers_1')
  const { organization_id } = l.tenant
  const undo = async (change: () => Promise<unknown>, expected: object, ...tables: string[]) => {
    for (const table of tables) await l.run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
    await change()
    expect(await first()).toMatchObject(expected)
    for (const table of tables) {
      await l.run(`DELETE FROM ${table}`)
      const columns = await l.run(
        `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns WHERE table_name = '${table}' AND is_identity = 'NO'`,
      )
      await l.run(
        `INSERT INTO ${table} (${columns[0]?.names}) SELECT ${columns[0]?.names} FROM kept_${table}
         ${table === 'events' ? 'ORDER BY sequence' : ''}`,
      )
      await l.run(`DROP TABLE kept_${table}`)
    }
  }
  await l.run(`UPDATE events SET verb = 'edit' WHERE id = $1`, ada)
  expect(await first()).toMatchObject({ kind: 'altered', event_id: ada })
  await l.run(`UPDATE events SET verb = 'create' WHERE id = $1`, ada)
  await l.run(`UPDATE events SET is_unlinked = false WHERE id = $1`, bob)
  expect(await first()).toMatchObject({ kind: 'altered', event_id: bob })
  await l.run(`UPDATE events SET is_unlinked = true WHERE id = $1`, bob)
  expect(await first()).toBeUndefined()
  await undo(
    () => l.run('DELETE FROM audit_amendments WHERE number = 2'),
    { kind: 'receipt', event_id: ada },
    'audit_amendments',
  )
  await undo(
    () =>
      l.run(
        `INSERT INTO audit_amendments SELECT organization_id, act, 4, kind, was_altered, salt, digest, seal FROM audit_amendments LIMIT 1`,
      ),
    { kind: 'amendment', event_id: eve },
    'audit_amendments',
  )
  await undo(
    () =>
      l.run(
        `INSERT INTO audit_amendments SELECT organization_id, act, 44, kind, was_altered, salt, digest, seal FROM audit_amendments LIMIT 1`,
      ),
    { kind: 'amendment', number: 44 },
    'audit_amendments',
  )
  // A whole amendment, made by somebody who has everything but the service key.
  await undo(
    async () => {
      const salt = Buffer.alloc(16)
      const [row] = await l.run(`UPDATE events SET verb = 'delete' WHERE id = $1 RETURNING *`, eve)
      const [event] = await l.run(
        `SELECT id, organization_id, subject, verb, object, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
         to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS recorded_at, clock_adjusted FROM events WHERE id = $1`,
        eve,
      )
      expect(row).toBeDefined()
      await l.run(`UPDATE audit_links SET salt = NULL WHERE event_id = $1`, eve)
      await l.run(
        `INSERT INTO audit_amendments VALUES ($1, 'ers_1', 4, 'unlinked', false, $2, $3, '\\x00')`,
        organization_id,
        salt,
        digestEvent(salt, event ?? {}),
      )
      const byKey = await first(publicKeyOnly())
      expect(byKey).toMatchObject({ kind: 'amendment', event_id: receipt })
    },
    { kind: 'amendment', event_id: eve, message: expect.stringContaining('not made by the service') },
    'audit_amendments',
    'audit_links',
    'events',
  )
  await undo(
    () => l.run('DELETE FROM events WHERE id = $1', receipt),
    { kind: 'removed', event_id: receipt },
    'events',
  )
  expect(await first()).toBeUndefined()
})

test('an event with two persons loses one after the other, and may go whole at last', async () => {
  const [, ada = ''] = await l.events()
  await amend('ers_1', [ada])
  await close('ers_1')
  await amend('ers_2', [ada])
  await close('ers_2')
  expect(await l.verify()).toMatchObject({ amended: 1, breaks: [] })
  await amend('retention 2026-11-17', [ada], () => undefined)
  await close('retention 2026-11-17')
  expect(await l.run('SELECT 1 FROM events WHERE id = $1', ada)).toEqual([])
  expect(await l.verify()).toMatchObject({ amended: 0, expired: 1, unreceipted: 0, breaks: [] })
  expect(await l.run('SELECT 1 FROM audit_amendments WHERE salt IS NOT NULL')).toEqual([])
  await l.run(`DELETE FROM audit_amendments WHERE kind = 'deleted'`)
  expect(await first()).toMatchObject({ kind: 'removed', event_id: ada })
})

test('an event that was altered is unlinked all the same, and stays reported', async () => {
  const [, ada = ''] = await l.events()
  await l.run(`UPDATE events SET verb = 'edit' WHERE id = $1`, ada)
  await amend('ers_1', [ada])
  expect(await first()).toMatchObject({ kind: 'altered', event_id: ada })
})

/** How many members, and how many addresses, somebody tries. */
const side = Math.max(20, Math.ceil(Math.sqrt(manyOr(400))))

/** Returns how many pairs of a member and an address lead to the digest, if a value is taken for the salt. */
function tryPairs(event: EventColumns, digest: Uint8Array, given: Uint8Array): number {
  const [person, address] = [String(event.subject.member_id), String(event.subject.ip_address)]
  const known = canonicalEvent(event)
  let found = 0
  for (let one = 0; one < side; one++) {
    const candidate = one === 17 ? person : `mem_${String(one).padStart(20, '0')}`
    const named = known.replaceAll(person, candidate)
    for (let two = 0; two < side; two++) {
      const guessed = two === 15 ? address : `10.${two >> 16}.${(two >> 8) & 255}.${two & 255}`
      const tried = Buffer.concat([given, Buffer.from(named.replaceAll(address, guessed))])
      if (hash('sha256', tried, 'buffer').equals(digest)) found++
    }
  }
  return found
}

/** Has a member open a door from an address. Returns the event as the chain has it. */
async function useDoor(member_id: string): Promise<EventColumns> {
  const { db, clock, feed } = l.w.server.context
  const [id] = await logEvents(db, [
    {
      organization_id: l.tenant.organization_id,
      subject: { member_id, access_method: 'online', ip_address: '203.0.113.7' },
      verb: 'use',
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      recorded_at: clock.now(),
    },
  ])
  await l.sealed()
  const found = (await feed.page({ after: '0.0.0', batch: 500 })).find(({ event }) => event.id === id)
  return present(found?.event, 'the use')
}

async function erase(member_id: string): Promise<string> {
  const { id } = await l.tenant.client.members.erase(member_id)
  await workUntil(l.w, l.tenant.client, id, 'done')
  await l.sealed()
  return id
}

test('nobody can find out who it was by trying, not even with the whole database', async () => {
  const { db } = l.w.server.context
  const { id: member_id } = await l.tenant.client.members.create({ name: 'Fay' })
  const event = await useDoor(member_id)
  const [link] = await l.run('SELECT salt, digest FROM audit_links WHERE event_id = $1', event.id)
  const { salt, digest } = link as { salt: Buffer; digest: Buffer }
  const written = [salt.toString('hex'), salt.toString('base64')]
  const places = async () => Object.keys(countRows(await dumpRows(db), written))
  expect(tryPairs(event, digest, salt)).toBe(1)
  expect(await places()).toEqual([`audit_links ${written[0]}`])
  await erase(member_id)
  expect(await places()).toEqual([])
  const held = [
    ...(await l.run('SELECT salt, digest, hash, seal FROM audit_links')),
    ...(await l.run('SELECT salt, digest, seal FROM audit_amendments')),
  ].flatMap(row => Object.values(row).filter(value => value instanceof Uint8Array))
  const values = new Set(['', ...held.map(value => Buffer.from(value).toString('hex'))])
  const confirmed = [...values].filter(value => tryPairs(event, digest, Buffer.from(value, 'hex')) > 0)
  expect(confirmed).toEqual([])
})

test('whatever is altered in an event that an erasure has unlinked is found, and so is a missing erasure', async () => {
  const { id: member_id } = await l.tenant.client.members.create({ name: 'Fay' })
  const { id } = await useDoor(member_id)
  const erasure_id = await erase(member_id)
  expect((await l.verify()).breaks).toEqual([])
  const flips = {
    subject: `subject || '{"access_method": "card"}'`,
    verb: `'edit'`,
    object: `object || '{"gadget_action_id": "close"}'`,
    created_at: `created_at + interval '1 microsecond'`,
    recorded_at: `recorded_at + interval '1 microsecond'`,
    clock_adjusted: 'NOT clock_adjusted',
    explanation: `'{"rules": []}'`,
    is_unlinked: 'NOT is_unlinked',
  }
  for (const [column, changed] of Object.entries(flips)) {
    const [held] = await l.run(
      `SELECT ${column}::text AS text, pg_typeof(${column}) AS type FROM events WHERE id = $1`,
      id,
    )
    await l.run(`UPDATE events SET ${column} = ${changed} WHERE id = $1`, id)
    expect([column, await first()]).toMatchObject([column, { kind: 'altered', event_id: id }])
    await l.run(`UPDATE events SET ${column} = $2::text::${held?.type} WHERE id = $1`, id, held?.text)
  }
  expect(await first()).toBeUndefined()
  await l.run('UPDATE events SET id = $2 WHERE id = $1', id, 'evt_00000000000000000000')
  expect(await first()).toMatchObject({ event_id: id })
  await l.run('UPDATE events SET id = $1 WHERE id = $2', id, 'evt_00000000000000000000')
  expect(await first()).toBeUndefined()
  const [receipt] = await l.run(
    `DELETE FROM events WHERE object->>'erasure_id' = $1 AND object->>'receipt_hash' IS NOT NULL RETURNING id`,
    erasure_id,
  )
  expect(await first()).toMatchObject({ kind: 'removed', event_id: receipt?.id })
  expect(await first(publicKeyOnly())).toMatchObject({ kind: 'removed', event_id: receipt?.id })
})

test('a chain can begin later: what is older may be deleted, and the rest verifies', async () => {
  const [start = '', ada = ''] = await l.events()
  await amend('ers_1', [start])
  await close('ers_1')
  const { db, clock } = l.w.server.context
  const move = () =>
    db.transaction(inner => moveStart(inner, key(), clock.now(), l.tenant.organization_id, ada))
  expect(await move()).toBeUndefined()
  await l.checkpoint()
  expect(await move()).toBe(2)
  expect(await l.verify()).toMatchObject({ events: 3, expired: 2, breaks: [] })
  await l.run('DELETE FROM events WHERE id IN ($1, $2)', start, ada)
  expect(await db.transaction(inner => deleteLinks(inner, l.tenant.organization_id, 1))).toBe(1)
  expect(await db.transaction(inner => deleteLinks(inner, l.tenant.organization_id, 10))).toBe(1)
  expect(await l.verify()).toMatchObject({ events: 3, expired: 2, breaks: [] })
  await l.tenant.client.members.create({})
  await l.sealed()
  expect(await l.checkpoint()).toBe(true)
  expect((await l.verify()).breaks).toEqual([])
  await l.run(`UPDATE audit_starts SET document = replace(document, '"number":2', '"number":3')`)
  expect(await first()).toMatchObject({ kind: 'start' })
  await l.run('DELETE FROM audit_starts')
  expect(await first()).toMatchObject({ kind: 'link' })
})
