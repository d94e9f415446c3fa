import type { Database } from '../database/db.ts'
import { isAfterMoment, type Moment, momentOf, presentMoment } from '../database/moment.ts'

export interface Wanted {
  readonly organizations: readonly string[]
  readonly since: Moment
  /** Types of objects. */
  readonly types: readonly string[]
  /** Those of them whose creation changes nothing for who asks. */
  readonly quiet_at_birth?: readonly string[]
  readonly limit: number
}

/** Something that changed: its type, its id, and which member and device the event names. */
export interface Change {
  readonly organization_id: string
  readonly type: string
  readonly id: string | null
  readonly member_id: string | null
  readonly device_id: string | null
}

/** The present moment, where nothing changed. */
type Nothing = { readonly [K in keyof Change]: null }

/**
 * What some organizations have committed since a moment, in one indexed read, and the present one. Every change of an object is an
 * event of the same transaction, so events whose transaction the snapshot could not see are exactly what a copy may lack; edits of
 * nothing that decisions or devices need are left out.
 */
export async function changesSince(
  db: Database,
  { organizations, since, types, quiet_at_birth = [], limit }: Wanted,
): Promise<{ moment: Moment; changes: Change[]; is_complete: boolean }> {
  const rows = await db.query<Moment & (Change | Nothing)>(organizations.length === 1 ? ofOne : ofMany, [
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

/** Before each decision: found by the index of the organization. */
const ofOne = `SELECT ${told} LEFT JOIN events e ON ${isAfterMoment('$1::integer', '$2::pg_snapshot')} AND e.touches_policy
  AND ${isWanted('$3::text[]', '$4::text[]', '$5::text[]')} LIMIT $6`

/**
 * For devices, many times a second: the log is read once for all. Planning that would take ten times as long as the read, so the planner
 * sees no values, for which it would plan anew, and one index to choose from.
 */
const ofMany = `WITH later AS MATERIALIZED (
    SELECT e.organization_id, e.verb, e.object FROM events e
    WHERE ${isAfterMoment('(SELECT $1::integer)', '(SELECT $2::pg_snapshot)')} AND e.touches_policy
    ORDER BY e.epoch, e.transaction_id, e.sequence)
  SELECT ${told} LEFT JOIN later e
    ON ${isWanted('(SELECT $3::text[])::text[]', '(SELECT $4::text[])::text[]', '(SELECT $5::text[])::text[]')} LIMIT $6`
