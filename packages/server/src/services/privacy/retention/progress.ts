import type { Database } from '../../../database/db.ts'
import type { Expiry } from '../event-classes.ts'

/** How far retention has come with one expiry of an organization. */
export interface Progress {
  /** Everything that happened up to this event has lost what expires. */
  readonly created_at: string
  readonly event_id: string
  /** Nothing recorded up to this event happened before that and came late, as from a controller that was offline. */
  readonly recorded_at: string
  readonly late_event_id: string
  /** The holds that spared something on the way; null if none did. */
  readonly spared_by: string | null
}

/** `late_from`: whatever is recorded from then on may happen to be older than what was looked at. */
export async function readProgress(
  db: Database,
  organization_id: string,
  expiry: Expiry | 'members',
  late_from: string,
): Promise<Progress> {
  const [row] = await db.query<Progress>(
    `SELECT created_at, event_id, recorded_at, late_event_id, spared_by FROM retention_progress
     WHERE organization_id = $1 AND expiry = $2`,
    [organization_id, expiry],
  )
  return row ?? { ...beginning, recorded_at: late_from, late_event_id: '', spared_by: null }
}

export const beginning = { created_at: '-infinity', event_id: '' } as const

export async function storeProgress(
  db: Database,
  organization_id: string,
  expiry: Expiry | 'members',
  { created_at, event_id, recorded_at, late_event_id, spared_by }: Progress,
): Promise<void> {
  await db.query(
    `INSERT INTO retention_progress (organization_id, expiry, created_at, event_id, recorded_at, late_event_id, spared_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, expiry) DO UPDATE SET created_at = excluded.created_at,
       event_id = excluded.event_id, recorded_at = excluded.recorded_at, late_event_id = excluded.late_event_id, spared_by = excluded.spared_by`,
    [organization_id, expiry, created_at, event_id, recorded_at, late_event_id, spared_by],
  )
}
