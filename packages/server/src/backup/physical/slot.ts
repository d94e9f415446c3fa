import type { Database } from '../../database/db.ts'
import { present } from '../../flow/present.ts'

/** The replication slot by which PostgreSQL keeps the log until it is archived. */
export const slotName = 'gatehouse_backup'

/** The expression for the timeline that PostgreSQL writes to. */
export const currentTimeline = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer`

/** Where the log is, and what the slot keeps of it. */
export interface LogPlace {
  readonly flushed: string
  readonly timeline: number
  readonly system_identifier: string
  /** Null if there is no slot, or PostgreSQL has given it up. */
  readonly kept_from: string | null
  /** Bytes that the slot keeps. */
  readonly kept_bytes: number
}

export async function findLogPlace(db: Database): Promise<LogPlace> {
  const [row] = await db.query<LogPlace & object>(
    `SELECT pg_current_wal_flush_lsn()::text AS flushed, ${currentTimeline} AS timeline, c.system_identifier::text AS system_identifier,
       s.restart_lsn::text AS kept_from, coalesce(pg_current_wal_flush_lsn() - s.restart_lsn, 0)::float8 AS kept_bytes
     FROM pg_control_system() c LEFT JOIN pg_replication_slots s ON s.slot_name = '${slotName}' AND s.wal_status <> 'lost'`,
  )
  return present(row, 'the place in the log')
}

/** Creates the slot. The log is kept from the last checkpoint on. */
export async function createSlot(db: Database): Promise<void> {
  await dropSlot(db)
  await db.query(`SELECT pg_create_physical_replication_slot('${slotName}', true)::text AS slot`, [], {
    prepare: false,
  })
}

/** Lets PostgreSQL remove the log. */
export async function dropSlot(db: Database): Promise<void> {
  await db.query(
    `SELECT pg_drop_replication_slot(slot_name)::text AS dropped FROM pg_replication_slots WHERE slot_name = '${slotName}' AND NOT active`,
    [],
    { prepare: false },
  )
}

/** Tells PostgreSQL that the log up to here is archived. */
export async function advanceSlot(db: Database, lsn: string): Promise<void> {
  await db.query(`SELECT pg_replication_slot_advance('${slotName}', $1::pg_lsn)::text AS advanced`, [lsn])
}
