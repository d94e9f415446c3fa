import { deriveAuditKey, loadAuditKeys } from '../audit/keys.ts'
import type { SecretKeys } from '../config/secret-key.ts'
import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'
import { holdLock } from '../database/locks.ts'
import { isServed } from '../events/life.ts'
import { type Clock, systemClock } from '../flow/clock.ts'
import { endSessions } from './end-sessions.ts'
import { replayErasures, writeReceipts } from './erasures.ts'
import { takeBack } from './ledger/copy-ledger.ts'
import { pruneOfflineSlices } from './offline-slices.ts'
import { type OpenedLedger, openLedger } from './open-ledger.ts'
import { beginRestore, findOpenRestore } from './restores.ts'
import { suspendRevoked } from './suspend.ts'
import { tellOrganizations } from './tell-organizations.ts'

export interface Mark {
  /** The time that the database was set back to. */
  readonly target: Date
  readonly backupId: string
  readonly by: string
  /** The folder of the ledger. Undefined: the operator goes on without it, knowing what that means. */
  readonly ledger: string | undefined
  readonly secret_keys: SecretKeys
  readonly clock?: Clock
}

/**
 * Makes a database that was just restored safe to serve: what the ledger names is suspended or erased, all
 * sessions and tokens end, and the service that starts on it is *recovered* until somebody confirms.
 *
 *   begun ── suspend, erase, end sessions ──▶ marked ── gatehouse restore confirm ──▶ confirmed
 *
 * The schema must be current, and nobody else may use the database. Every step can be repeated, and the
 * service refuses to start on a database that is begun and not marked. The ledger's blocks are stored last:
 * until then, a repetition applies all of them again.
 */
export async function markRecovered(db: Database, mark: Mark): Promise<void> {
  const { target, backupId: backup_id, by: restored_by, secret_keys, clock = systemClock } = mark
  if (await isServed(db))
    throw new StartError('The service runs on this database: stop it, then mark the restore.')
  const keys = await loadAuditKeys(db, secret_keys)
  const ledger = mark.ledger === undefined ? undefined : await openLedger(db, keys, mark.ledger)
  const now = clock.now()
  await beginRestore(db, { target: target.toISOString(), backup_id, restored_by, now, ledger })
  if (ledger) {
    await suspendRevoked(db, ledger)
    await replayErasures(db, deriveAuditKey(secret_keys[0]), ledger, now)
  }
  await endSessions(db, now)
  await pruneOfflineSlices(db)
  await finish(db, ledger, now)
}

async function finish(db: Database, ledger: OpenedLedger | undefined, now: string): Promise<void> {
  await db.transaction(async inner => {
    await holdLock(inner, 'ledger')
    const restore = await findOpenRestore(inner, true)
    if (!restore || restore.marked_at !== null) return
    await takeBack(inner, ledger?.blocks ?? [], false)
    const { target: restored_to, restored_by } = restore
    await tellOrganizations(inner, now, { reason: 'restored_from_backup', restored_to, restored_by })
    await writeReceipts(inner, now)
    await inner.query('UPDATE restores SET marked_at = $1 WHERE confirmed_at IS NULL', [now])
  })
}
