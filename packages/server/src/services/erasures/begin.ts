import { noneErased, resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { eraseFields } from '../../erasing/erase-fields.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { isMemberHeld } from '../../erasing/holds.ts'
import { noteErasure as noteInLedger } from '../../recovery/ledger/write-ledger.ts'
import { logObject, type Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { type Erasure, moveErasure } from './change-erasure.ts'
import { isDeletedSince } from './deleted-since.ts'
import { endImports, findImports, findUnseen, type Imports } from './end-imports.ts'
import { findHolding } from './holding-devices.ts'

/** Seconds. Of each of the last 12 months a backup is kept. */
const oldestBackup = 396 * 86_400

/** What holds a member. Read before the first step, because it takes long in a large organization. */
export interface Held extends Imports {
  readonly devices: readonly string[]
}

export async function findHeld(context: Pick<Context, 'db' | 'vault'>, member: MemberKey): Promise<Held> {
  return { devices: await findHolding(context.db, member), ...(await findImports(context, member)) }
}

/**
 * The first step, in one transaction: the member is deleted and emptied, its access ends, and everything unique is free. Rows
 * elsewhere, events and devices follow. While a legal hold covers the member, nothing happens. Retention
 * spares who was restored meanwhile. Without `held`, which takes long to find, it only looks whether it can begin.
 */
export async function beginErasure(
  context: Pick<Context, 'config' | 'clock'>,
  asked: Write,
  erasure: Erasure,
  held: Held | undefined,
): Promise<Erasure> {
  const { db } = asked
  const member: MemberKey = erasure
  const isBegun = erasure.started_at !== null
  if (!isBegun && erasure.reason === 'retention' && (await isSpared(db, erasure)))
    return (await moveErasure(asked, erasure, { state: 'canceled', finished_at: asked.now })).erasure
  if (await isMemberHeld(db, member, asked.now)) return block(asked, erasure)
  if (isBegun) return (await moveErasure(asked, erasure, { state: 'running', worked_at: asked.now })).erasure
  if (!held) return erasure
  const [row] = await db.query<{ id: string; erased_at: string | null }>(
    'SELECT id, erased_at FROM members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [member.organization_id, member.member_id],
  )
  // Not the time of the request, nor of the look: whatever was made until now may hold the member.
  const now = context.clock.now()
  const write = { ...asked, now }
  let card_ids: string[] = []
  if (row?.erased_at === null) {
    await endImports(write, [...held.imports, ...(await findUnseen(db, member, held.seen))])
    ;({ card_ids } = await eraseFields(db, member, now, erasure.includes_cards))
    await logObject(write, resources.member, 'delete', { id: member.member_id }, { reason: 'erased' })
    await noteInLedger(db, erasure)
    db.afterCommit('rights_changed')
  }
  const { erasure: begun } = await moveErasure(write, erasure, {
    state: 'running',
    stage: 'rows',
    started_at: now,
    worked_at: now,
    device_ids: [...held.devices],
    card_ids,
    counts: { ...noneErased, objects: 1, devices: held.devices.length },
    backups_clear_at: context.config.backup_dir === undefined ? null : addSeconds(now, oldestBackup),
  })
  return begun
}

/** Whether the member was restored, also if it was deleted again, since retention has found it: then its time begins anew. */
async function isSpared(db: Database, { organization_id, member_id, created_at }: Erasure): Promise<boolean> {
  const [row] = await db.query<{ is_deleted: boolean }>(
    'SELECT is_deleted FROM members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [organization_id, member_id],
  )
  // In a statement of its own: the one above may have waited for who deletes it.
  const deleted = await db.query(`SELECT 1 WHERE ${isDeletedSince('$2', '$3')}`, [
    organization_id,
    member_id,
    created_at,
  ])
  return row?.is_deleted === false || deleted.length > 0
}

async function block(write: Write, erasure: Erasure): Promise<Erasure> {
  if (erasure.state === 'blocked') return erasure
  return (await moveErasure(write, erasure, { state: 'blocked', worked_at: write.now })).erasure
}
