import { resources } from '@gatehouse-access/api'
import type { Database, Row } from '../database/db.ts'
import { endEmergency, holdEmergency } from '../doors/end-emergency.ts'
import type { Clock } from '../flow/clock.ts'
import { serviceCaller } from '../store/caller.ts'
import { findObject } from '../store/find.ts'
import { deleteObjects, logHappening, logObject, type Write } from '../store/write.ts'
import type { Suspended } from './keep.ts'
import { type FlagKind, isFlag, ledgerKinds } from './kinds.ts'

/** Suspensions that one transaction settles. */
const page = 200

/** Puts what is kept in force again, with an event each. Returns how many. */
export async function liftSuspensions(
  db: Database,
  clock: Clock,
  kept: readonly Suspended[],
): Promise<number> {
  for (const { organization_id, kind, ids } of grouped(kept))
    for (let start = 0; start < ids.length; start += page)
      await db.transaction(inner =>
        settleIn(writeIn(inner, clock, organization_id), kind, ids.slice(start, start + page), 'kept'),
      )
  return kept.length
}

/** Turns what is still suspended into deletions, with an event each. Returns how many. */
export async function turnIntoDeletions(db: Database, clock: Clock): Promise<number> {
  for (let total = 0; ; ) {
    const rows = await db.query<Suspended>(
      `SELECT organization_id, kind, id FROM restore_suspensions WHERE is_suspended ORDER BY organization_id, kind, id LIMIT ${page}`,
    )
    if (rows.length === 0) return total
    for (const { organization_id, kind, ids } of grouped(rows))
      await db.transaction(inner => settleIn(writeIn(inner, clock, organization_id), kind, ids, 'deleted'))
    total += rows.length
  }
}

function grouped(all: readonly Suspended[]) {
  const groups = Map.groupBy(all, ({ organization_id, kind }) => `${organization_id} ${kind}`)
  return [...groups.values()].map(group => ({
    organization_id: group[0]?.organization_id ?? '',
    kind: group[0]?.kind ?? '',
    ids: group.map(({ id }) => id),
  }))
}

function writeIn(db: Database, clock: Clock, organization_id: string): Write {
  return { db, caller: serviceCaller(organization_id), now: clock.now() }
}

/** Locks the suspensions: of two confirmations at once, one settles each. */
async function settleIn(
  write: Write,
  kind: string,
  asked: readonly string[],
  settled: 'kept' | 'deleted',
): Promise<void> {
  const rows = await write.db.query<{ id: string }>(
    `SELECT id FROM restore_suspensions WHERE organization_id = $1 AND kind = $3 AND id = ANY($2::text[]) AND is_suspended
     ORDER BY id FOR UPDATE`,
    [write.caller.organization_id, asked, kind],
  )
  const ids = rows.map(({ id }) => id)
  await (settled === 'kept' ? lift(write, kind, ids) : remove(write, kind, ids))
  // The row stays until the end, so that an interrupted confirmation can be repeated as it was.
  await write.db.query(
    `UPDATE restore_suspensions SET is_suspended = false, settled = $4 WHERE organization_id = $1 AND kind = $3 AND id = ANY($2::text[])`,
    [write.caller.organization_id, ids, kind, settled],
  )
}

async function lift(write: Write, kind: string, ids: readonly string[]): Promise<void> {
  if (isFlag(kind)) {
    await setFlag(write, kind, ids)
    for (const row of await readRows(write, kind, ids))
      await logObject(write, resources[kind], 'edit', row, { reason: 'restored' })
    if (kind === 'member') await claimOf(write, ids)
  } else if (kind === 'override' || kind === 'emergency') await putInForce(write, kind, ids)
  else if (kind === 'device_secret') await giveSecretsBack(write, ids)
  else await putBack(write, kind, ids)
}

/** The rows are deleted already. They come back for the moment in which the deletion and its event are written. */
async function remove(write: Write, kind: string, ids: readonly string[]): Promise<void> {
  if (isFlag(kind)) {
    await setFlag(write, kind, ids, false)
    await deleteObjects(write, resources[kind], 'id', ids)
  } else if (kind === 'override') await tellModes(write, ids, 'mode_ended')
  else if (kind === 'emergency') await endAll(write, ids)
  else if (kind === 'device_secret')
    for (const device_id of ids) await logHappening(write, 'delete', { type: 'hardware', device_id })
  else for (const id of ids) await logHappening(write, 'delete', goneObject(kind, id))
}

type ModeKind = 'override' | 'emergency'

async function putInForce(write: Write, kind: ModeKind, ids: readonly string[]): Promise<void> {
  await setFlag(write, kind, ids)
  if (kind === 'override') return tellModes(write, ids, 'mode_set')
  for (const id of ids)
    await logObject(write, resources.emergency, 'edit', await holdEmergency(write, id), {
      reason: 'restored',
    })
}

/** An emergency is history, so it is not deleted: it has ended, as it had before. */
async function endAll(write: Write, ids: readonly string[]): Promise<void> {
  await setFlag(write, 'emergency', ids)
  for (const id of ids)
    await endEmergency(write, await holdEmergency(write, id), 'It had ended before the restore.')
}

async function tellModes(write: Write, ids: readonly string[], reason: string): Promise<void> {
  const { organization_id } = write.caller
  for (const id of ids) {
    const gadget = await findObject(write.db, resources.gadget, { organization_id }, id)
    if (gadget) await logObject(write, resources.gadget, 'edit', gadget, { reason })
  }
}

function goneObject(kind: string, id: string) {
  return kind === 'user'
    ? ({ type: 'user', user_id: id } as const)
    : ({ type: 'invitation', invitation_id: id } as const)
}

const those = 'organization_id = $1 AND id = ANY($2::text[])'

async function setFlag(
  { db, caller }: Write,
  kind: FlagKind | ModeKind,
  ids: readonly string[],
  claims = true,
): Promise<void> {
  const { table, is_claimed } = ledgerKinds.find(known => known.kind === kind) ?? { table: '' }
  // A PIN or card is claimed only if its member is in force.
  const claim = is_claimed && claims ? `, is_claimed = ${isMemberThere}` : ''
  await db.query(`UPDATE ${table} t SET is_deleted = false ${claim} WHERE ${those}`, [
    caller.organization_id,
    ids,
  ])
}

const isMemberThere =
  '(SELECT NOT m.is_deleted FROM members m WHERE m.organization_id = t.organization_id AND m.id = t.member_id)'

function readRows({ db, caller }: Write, kind: FlagKind, ids: readonly string[]): Promise<Row[]> {
  return db.query<Row>(`SELECT * FROM ${resources[kind].table} WHERE ${those}`, [caller.organization_id, ids])
}

async function claimOf({ db, caller }: Write, members: readonly string[]): Promise<void> {
  for (const table of ['member_pins', 'member_cards'] as const)
    await db.query(
      `UPDATE ${table} SET is_claimed = true WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND NOT is_deleted`,
      [caller.organization_id, members],
    )
}

async function giveSecretsBack(write: Write, ids: readonly string[]): Promise<void> {
  await write.db.query(
    `UPDATE devices d SET secret_hash = decode(s.held->>'secret_hash', 'hex') FROM restore_suspensions s
     WHERE s.organization_id = $1 AND s.kind = 'device_secret' AND s.id = ANY($2::text[]) AND d.organization_id = s.organization_id AND d.id = s.id`,
    [write.caller.organization_id, ids],
  )
  for (const device_id of ids) await logHappening(write, 'create', { type: 'hardware', device_id })
}

async function putBack(write: Write, kind: string, ids: readonly string[]): Promise<void> {
  const { table } = ledgerKinds.find(known => known.kind === kind) ?? { table: '' }
  await write.db.query(
    `INSERT INTO ${table} SELECT r.* FROM restore_suspensions s, jsonb_populate_record(NULL::${table}, s.held) r
     WHERE s.organization_id = $1 AND s.kind = $3 AND s.id = ANY($2::text[]) ON CONFLICT DO NOTHING`,
    [write.caller.organization_id, ids, kind],
  )
  for (const id of ids) await logHappening(write, 'create', goneObject(kind, id))
}
