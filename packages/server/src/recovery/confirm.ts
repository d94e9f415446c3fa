import { acceptRestore } from '../audit/accept-restore.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Pool } from '../database/db.ts'
import { holdLock } from '../database/locks.ts'
import type { Clock } from '../flow/clock.ts'
import { raiseVersions } from './devices-ahead.ts'
import { chooseKept, type Kept } from './keep.ts'
import { endRestore, findOpenRestore, type OpenRestore } from './restores.ts'
import { liftSuspensions, turnIntoDeletions } from './settle.ts'
import { tellOrganizations } from './tell-organizations.ts'

interface ConfirmContext {
  readonly db: Pool
  readonly clock: Clock
  readonly config: Config
}

export interface Confirmation extends Kept {
  readonly by: string
}

export interface Confirmed {
  readonly kept: number
  readonly deleted: number
}

/**
 * Ends the recovery: suspensions become deletions or are lifted, versions of policies rise above what devices
 * hold, the audit chain accounts for what was given up. Only the last step lets the service go on, and all
 * can be repeated: an interrupted confirmation is confirmed again.
 */
export async function confirmRestore(context: ConfirmContext, said: Confirmation): Promise<Confirmed> {
  const { db, clock } = context
  const restore = await requireMarked(context)
  const kept = await liftSuspensions(db, clock, await chooseKept(db, said))
  const deleted = await turnIntoDeletions(db, clock)
  await raiseVersions(db)
  await acceptRestore(context, {
    by: said.by,
    reason: `restored backup ${restore.backup_id} to ${restore.target}, by ${restore.restored_by}`,
    target: restore.target,
    backup_id: restore.backup_id,
  })
  await finish(context, said.by)
  return { kept, deleted }
}

async function requireMarked({ db }: ConfirmContext): Promise<OpenRestore> {
  const restore = await findOpenRestore(db)
  if (!restore) throw new StartError('No restore waits for a confirmation.')
  if (restore.marked_at !== null) return restore
  throw new StartError('Marking the restore was interrupted: run gatehouse restore mark first.')
}

async function finish({ db, clock }: ConfirmContext, by: string): Promise<void> {
  await db.transaction(async inner => {
    await holdLock(inner, 'restore')
    const restore = await findOpenRestore(inner, true)
    if (!restore) return
    const now = clock.now()
    const told = { reason: 'restore_confirmed', restored_to: restore.target, restored_by: by }
    await tellOrganizations(inner, now, told)
    for (const table of ['restore_suspensions', 'restore_devices', 'restore_strangers'] as const)
      await inner.query(`DELETE FROM ${table}`)
    await endRestore(inner, by, now)
  })
}
