import { noneErased, resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { eraseFields } from '../../erasing/erase-fields.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { isMemberHeld } from '../../erasing/holds.ts'
import { noteErasure as noteInLedger } from '../../recovery/ledger/write-ledger.ts'
import { logObject, type Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { type Erasure, moveErasure } from './change-erasure.ts'
import { endImports, findImports } from './end-imports.ts'
import { findHolding } from './holding-devices.ts'

/** Seconds. Of each of the last 12 months a backup is kept. */
const oldestBackup = 396 * 86_400

/** What holds a member. Read before the first step, because it takes long in a large organization. */
export interface Held {
  readonly devices: readonly string[]
  /** Imports that await their start, and may hold it. */
  readonly imports: readonly string[]
}

export async function findHeld(context: Pick<Context, 'db' | 'vault'>, member: MemberKey): Promise<Held> {
  return { devices: await findHolding(context.db, member), imports: await findImports(context, member) }
}

/**
 * The first step, in one transaction: the member is deleted and emptied, its access ends, and everything unique is free. Rows
 * elsewhere, events and devices follow. While a legal hold covers the member, nothing happens. Retention
 * spares who was restored meanwhile.
 */
export async function beginErasure(
  context: Pick<Context, 'config'>,
  write: Write,
  erasure: Erasure,
  { devices, imports }: Held,
): Promise<Erasure> {
  const { db, now } = write
  const member: MemberKey = erasure
  if (await isMemberHeld(db, member, now)) return block(write, erasure)
  if (erasure.started_at !== null)
    return (await moveErasure(write, erasure, { state: 'running', worked_at: now })).erasure
  const [row] = await db.query<{ id: string; is_deleted: boolean; erased_at: string | null }>(
    'SELECT id, is_deleted, erased_at FROM members WHERE organization_id = $1 AND id = $2 FOR UPDATE',
    [member.organization_id, member.member_id],
  )
  if (erasure.reason === 'retention' && row?.is_deleted === false)
    return (await moveErasure(write, erasure, { state: 'canceled', finished_at: now })).erasure
  let card_ids: string[] = []
  if (row?.erased_at === null) {
    await endImports(write, imports)
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
    device_ids: [...devices],
    card_ids,
    counts: { ...noneErased, objects: 1, devices: devices.length },
    backups_clear_at: context.config.backup_dir === undefined ? null : addSeconds(now, oldestBackup),
  })
  return begun
}

async function block(write: Write, erasure: Erasure): Promise<Erasure> {
  if (erasure.state === 'blocked') return erasure
  return (await moveErasure(write, erasure, { state: 'blocked', worked_at: write.now })).erasure
}
