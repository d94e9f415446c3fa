import type { EventObject, EventSubject } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { serviceCaller } from '../../store/caller.ts'
import { logUse } from '../../store/write.ts'
import type { Command, Outcome } from './commands.ts'

export interface Holder {
  readonly process_id: string
  readonly connection_id: string
  /** Protocol version of the process; see `spoken`. */
  readonly speaks: number
}

/** Identifies one command of one device. */
export interface CommandKey {
  readonly organization_id: string
  readonly device_id: string
  readonly id: string
}

/**
 * Finds the process that holds the device and stores the command, in one statement. Returns undefined if no
 * process holds it. Commits asynchronously: only a database crash loses the row, and the outcome still
 * reaches a waiting caller without it.
 */
export async function noteCommand(
  db: Database,
  { organization_id, device_id, event }: Command,
  { id, reply_to, deadline }: { id: string; reply_to: string; deadline: string },
): Promise<Holder | undefined> {
  const [holder] = await db.query<Holder & { set_config: string }>(
    `WITH holder AS (
       SELECT c.process_id, c.connection_id, p.speaks FROM device_connections c JOIN device_processes p ON p.id = c.process_id AND p.alive_until > now()
       WHERE c.organization_id = $1 AND c.device_id = $2),
     noted AS (
       INSERT INTO device_commands (organization_id, device_id, id, reply_to, subject, object, deadline)
       SELECT $1, $2, $3, $4, $5, $6, $7 FROM holder)
     SELECT process_id, connection_id, speaks, set_config('synchronous_commit', 'off', true) FROM holder`,
    [organization_id, device_id, id, reply_to, event?.subject ?? null, event?.object ?? null, deadline],
  )
  return holder
}

/** Only the first of `markHanded` and `takeBack` succeeds. Returns false if the command was taken back. */
export async function markHanded(
  db: Database,
  { organization_id, device_id, id }: CommandKey,
  now: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE device_commands SET handed_at = $4 WHERE organization_id = $1 AND device_id = $2 AND id = $3 AND handed_at IS NULL RETURNING 1`,
    [organization_id, device_id, id, now],
  )
  return rows.length > 0
}

/** Returns true if the command is now certain never to reach a device. */
export async function takeBack(
  db: Database,
  { organization_id, device_id, id }: CommandKey,
): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM device_commands WHERE organization_id = $1 AND device_id = $2 AND id = $3 AND handed_at IS NULL RETURNING 1`,
    [organization_id, device_id, id],
  )
  return rows.length > 0
}

/**
 * Removes the command and, if it is done, writes its event. Returns the process that waits for the outcome,
 * or undefined if the command was already removed or is not this device's.
 */
export function takeCommand(
  db: Database,
  { organization_id, device_id, id }: CommandKey,
  outcome: Outcome,
  now: string,
): Promise<string | undefined> {
  return db.transaction(async db => {
    const [row] = await db.query<{
      reply_to: string
      subject: EventSubject | null
      object: EventObject | null
    }>(
      `DELETE FROM device_commands WHERE organization_id = $1 AND device_id = $2 AND id = $3 RETURNING reply_to, subject, object`,
      [organization_id, device_id, id],
    )
    if (row?.object && outcome === 'done')
      await logUse({ db, caller: serviceCaller(organization_id), now }, row.subject ?? {}, row.object)
    return row?.reply_to
  })
}
