import { RequestError } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { present } from '../flow/present.ts'
import { formatPosition, type Position, parsePosition } from './position.ts'

/**
 * Throws if a cursor lies ahead of the database, as after a restore or a failover that lost the end of the
 * log: its holder has seen events that do not exist here. Returns the current epoch.
 *
 * A cursor is ahead if its epoch is unknown or in the future, or if it lies past the end of a known epoch. A
 * cursor without a sequence names no event. A crash may leave it a few transaction ids ahead, under which
 * nothing was committed, so it is accepted.
 */
export async function checkCursor(db: Database, cursor: string): Promise<number> {
  const { epoch, transaction_id, sequence } = parsePosition(cursor)
  const [row] = await db.query<{ running: number; is_ahead: boolean }>(
    `SELECT now.epoch AS running, CASE
       WHEN $1::integer > now.epoch THEN true
       WHEN $1::integer = now.epoch THEN $2::xid8 > now.next OR ($2::xid8 = now.next AND $3::bigint > 0)
       WHEN $1::integer = 0 THEN false
       WHEN NOT EXISTS (SELECT FROM feed_epochs WHERE epoch = $1::integer) THEN true
       ELSE $3::bigint > 0 AND $2::xid8 >= (SELECT previous_end FROM feed_epochs WHERE epoch > $1::integer ORDER BY epoch LIMIT 1)
     END AS is_ahead FROM (SELECT feed_epoch() AS epoch, pg_snapshot_xmax(pg_current_snapshot()) AS next) now`,
    [epoch, transaction_id, sequence],
  )
  const { running, is_ahead } = present(row, 'an answer')
  if (!is_ahead) return running
  throw aheadOfDatabase(cursor, await findShared(db, epoch < running ? cursor : `${running}.0.0`))
}

/** Returns the last event before a position. A reader that continues after it misses nothing. Not with `<`: see `isLater`. */
async function findShared(db: Database, place: string): Promise<string> {
  const { epoch, transaction_id, sequence } = parsePosition(place)
  const [row] = await db.query<Position>(
    `SELECT epoch, transaction_id::text AS transaction_id, sequence FROM events e
     WHERE (epoch, transaction_id, sequence) <= ($1::integer, $2::xid8, $3::bigint - 1)
     ORDER BY e.epoch DESC, e.transaction_id DESC, e.sequence DESC LIMIT 1`,
    [epoch, transaction_id, sequence],
  )
  return formatPosition(row ?? parsePosition(undefined))
}

function aheadOfDatabase(cursor: string, next: string): RequestError {
  return new RequestError(
    'cursor_ahead',
    `the cursor ${cursor} is ahead of the event log, which was restored or lost its end: events you have seen no longer exist; continue after ${next}`,
    { args: { field: 'after', cursor: next } },
  )
}
