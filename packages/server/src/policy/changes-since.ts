import type { Database } from '../database/db.ts'
import { isAfterMoment, type Moment, momentOf, presentMoment } from '../database/moment.ts'

export interface Wanted {
  readonly organizations: readonly string[]
  /** Reads the log as for many organizations, also if there is one: that is planned in half the time. */
  readonly is_for_devices?: boolean
  readonly since: Moment
  /** Object types. */
  readonly types: readonly string[]
  /** The types whose creation does not affect the caller. */
  readonly quiet_at_birth?: readonly string[]
  readonly limit: number
}

/** A changed object: its type, its id, and the member and the device that the event names. */
export interface Change {
  readonly organization_id: string
  readonly type: string
  readonly id: string | null
  readonly member_id: string | null
  readonly device_id: string | null
}

/** The row that carries only the moment, if nothing changed. */
type Nothing = { readonly [K in keyof Change]: null }

/**
 * Returns what some organizations have committed since a moment, in one indexed read, and the current moment.
 * Every change of an object is logged as an event in the same transaction, so the events that the snapshot
 * could not see are exactly what a copy may lack. Excludes edits that affect neither decisions nor devices.
 */
export async function changesSince(
  db: Database,
  { organizations, is_for_devices = false, since, types, quiet_at_birth = [], limit }: Wanted,
): Promise<{ moment: Moment; changes: Change[]; is_complete: boolean }> {
  const text = organizations.length === 1 && !is_for_devices ? ofOne : ofMany
  const rows = await db.query<Moment & (Change | Nothing)>(text, [
    since.epoch,
    since.snapshot,
    organizations,
    types,
    quiet_at_birth,
    limit + 1,
  ])
  const [first] = rows
  if (!first) throw new Error('the database tells no moment')
  const changes = rows.filter((row): row is Moment & Change => row.organization_id !== null)
  return { moment: momentOf(first), changes, is_complete: rows.length <= limit }
}

const told = `now.epoch, now.snapshot, e.organization_id, e.object->>'type' AS type, e.object->>((e.object->>'type') || '_id') AS id,
  e.object->>'member_id' AS member_id, e.object->>'device_id' AS device_id FROM (SELECT ${presentMoment}) now`

function isWanted(organizations: string, types: string, quiet: string): string {
  return `e.organization_id = ANY(${organizations}) AND e.verb IN ('create', 'edit', 'delete') AND e.object->>'type' = ANY(${types})
    AND NOT (e.verb = 'create' AND e.object->>'type' = ANY(${quiet}))`
}

/** Runs before each decision, on the index of the organization. */
const ofOne = `SELECT ${told} LEFT JOIN events e ON ${isAfterMoment('$1::integer', '$2::pg_snapshot')} AND e.touches_policy
  AND ${isWanted('$3::text[]', '$4::text[]', '$5::text[]')} LIMIT $6`

/**
 * For devices, many times per second: reads the log once for all organizations. Planning would take ten times
 * as long as the read. Subselects therefore hide the values, for which PostgreSQL would plan anew, and leave
 * the planner a single index to choose from.
 */
const ofMany = `WITH later AS MATERIALIZED (
    SELECT e.organization_id, e.verb, e.object FROM events e
    WHERE ${isAfterMoment('(SELECT $1::integer)', '(SELECT $2::pg_snapshot)')} AND e.touches_policy
    ORDER BY e.epoch, e.transaction_id, e.sequence)
  SELECT ${told} LEFT JOIN later e
    ON ${isWanted('(SELECT $3::text[])::text[]', '(SELECT $4::text[])::text[]', '(SELECT $5::text[])::text[]')} LIMIT $6`
