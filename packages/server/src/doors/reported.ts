import type { DoorMode, OverrideRow } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'

/** What a device last reported of a door. */
export interface Reported {
  readonly mode: string
  readonly source: string
  readonly emergency_ids: readonly string[]
  readonly outcome: string
  readonly reported_at: string
}

export interface DoorRow {
  readonly override: OverrideRow | null
  readonly reported: Reported | null
}

type Found = Omit<OverrideRow, 'mode' | 'lasts' | 'set_at' | 'is_deleted'> & {
  readonly override_mode: OverrideRow['mode'] | null
  readonly lasts: OverrideRow['lasts'] | null
  readonly until: string | null
  readonly set_at: string | null
  readonly mode: string | null
  readonly source: string | null
  readonly emergency_ids: string[] | null
  readonly outcome: string | null
  readonly reported_at: string | null
}

/** Returns the overrides of doors as this transaction sees them, and what was reported of them. */
export async function findDoorRows(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, DoorRow>> {
  const rows = await db.query<Found>(
    `SELECT g.id, o.mode AS override_mode, o.lasts, o.until, o.set_at, m.mode, m.source, m.emergency_ids, m.outcome, m.reported_at
     FROM unnest($2::text[]) AS g(id)
     LEFT JOIN overrides o ON o.organization_id = $1 AND o.id = g.id AND NOT o.is_deleted
     LEFT JOIN door_modes m ON m.organization_id = $1 AND m.gadget_id = g.id`,
    [organizationId, ids],
  )
  return new Map(rows.map(row => [row.id, { override: overrideIn(row), reported: reportedIn(row) }]))
}

function overrideIn({ id, override_mode: mode, lasts, until, set_at }: Found): OverrideRow | null {
  return mode && lasts && set_at ? { id, mode, lasts, until, set_at, is_deleted: false } : null
}

function reportedIn({ mode, source, emergency_ids, outcome, reported_at }: Found): Reported | null {
  return mode && source && emergency_ids && outcome && reported_at
    ? { mode, source, emergency_ids, outcome, reported_at }
    : null
}

/** Whether the device has done what the policy says, for the same cause. */
export function isConfirmed(mode: DoorMode, reported: Reported): boolean {
  return (
    reported.outcome === 'done' &&
    reported.mode === mode.effective &&
    reported.source === mode.source &&
    new Set(reported.emergency_ids).symmetricDifference(new Set(mode.emergency_ids)).size === 0
  )
}
