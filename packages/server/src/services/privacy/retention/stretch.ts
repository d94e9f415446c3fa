import { resources } from '@gatehouse-access/api'
import { deleteEvents } from '../../../audit/amendments/amend.ts'
import { deleteLinks, moveStart } from '../../../audit/amendments/start.ts'
import type { AuditKey } from '../../../audit/keys.ts'
import type { Database } from '../../../database/db.ts'
import { tryLock } from '../../../database/locks.ts'
import { isEventHeld } from '../../../erasing/holds.ts'
import type { EventColumns } from '../../../events/feed-event.ts'
import { selectList } from '../../../store/columns.ts'
import { isAccess, isDevice } from '../event-classes.ts'

/** Up to when events are deleted, by what they are; undefined: never. */
export interface Stretch {
  readonly organization_id: string
  readonly access_before: string | undefined
  readonly device_before: string | undefined
  readonly now: string
}

/**
 * Deletes the oldest events of an organization, as long as none among them stays, in the transaction of the caller. The audit chain
 * then begins behind them, so nothing needs to be kept of each. Returns how many were deleted.
 */
export async function deleteStretch(
  db: Database,
  key: AuditKey,
  stretch: Stretch,
  size: number,
): Promise<number> {
  const { organization_id, now } = stretch
  if (!(await tryLock(db, 'retention_of_organization', organization_id))) return 0
  const oldest = await readOldest(db, stretch, size)
  const going = oldest.slice(0, countGoing(oldest))
  const last = going.at(-1)
  if (!last || (await moveStart(db, key, now, organization_id, last.id)) === undefined) return 0
  await deleteEvents(db, organization_id, going)
  await deleteLinks(db, organization_id, 10 * size)
  return going.length
}

type Oldest = EventColumns & { readonly is_over: boolean; readonly is_held: boolean }

function readOldest(
  db: Database,
  { organization_id, access_before = '-infinity', device_before = '-infinity', now }: Stretch,
  size: number,
): Promise<Oldest[]> {
  return db.query<Oldest>(
    `SELECT ${selectList(resources.event)}, ((t.created_at < $2 AND ${isAccess}) OR (t.created_at < $3 AND ${isDevice})) AS is_over,
       ${isEventHeld('t', '$5')} AS is_held
     FROM events t WHERE t.organization_id = $1 ORDER BY t.epoch, t.transaction_id, t.sequence LIMIT $4`,
    [organization_id, access_before, device_before, size, now],
  )
}

function countGoing(oldest: readonly Oldest[]): number {
  const stays = oldest.findIndex(({ is_over, is_held }) => !is_over || is_held)
  return stays < 0 ? oldest.length : stays
}
