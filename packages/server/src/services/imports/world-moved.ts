import type { Database, Row } from '../../database/db.ts'
import { Slices } from '../../flow/gaps.ts'
import type { SealedJob, WholeJob } from '../jobs/job-type.ts'
import { areRowsTouched, beginOf, changesSince } from '../jobs/rows-touched.ts'
import type { Work } from '../objects/context.ts'
import { keysOfMembers } from './members/member-keys.ts'
import { digestOfKey } from './rows/key-digest.ts'
import { type StoredImport, storedImport } from './stored-import.ts'

/** More objects that have changed than this count as a change of any file. */
const mostLookedAt = 5000

/** Whether something that the diff of a dry run is about was changed since it began. */
export async function hasMoved(work: Work, { job }: SealedJob): Promise<boolean> {
  if (job.undo_of_job_id !== null) return areRowsTouched(work, job)
  const told = storedImport(job.settings)
  if (!told) return true
  return (
    (await areRowsTouched(work, job)) ||
    (await isRenamed(work, job, told)) ||
    (await isTaken(work, job, told.import))
  )
}

/** What columns and defaults name by its name. */
const namedIn = {
  groups: 'member_group',
  member_group_ids: 'member_group',
  group: 'member_group',
  tags: 'tag',
  calendar: 'calendar',
} as const

/** A group, tag or calendar that rows may name has come or gone. */
async function isRenamed(
  { db, caller }: Work,
  job: WholeJob,
  { columns, import: { defaults = {} } }: StoredImport,
): Promise<boolean> {
  const kinds = Object.entries(namedIn)
    .filter(([name]) => columns === undefined || columns.includes(name) || name in defaults)
    .map(([, kind]) => kind)
  const [row] = await db.query(
    `SELECT 1 FROM events e WHERE ${changesSince} AND e.object->>'type' = ANY($3::text[])
       AND (e.verb <> 'edit' OR e.object->>'reason' = 'restored' OR e.object->'changes' @> '[{"field": "name"}]'
         OR e.object->'changes' @> '[{"field": "applies_to"}]') LIMIT 1`,
    [caller.organization_id, beginOf(job), kinds],
  )
  return row !== undefined
}

/** A row that would make a member or a card now finds one, or what it names has come, gone or changed hands. */
async function isTaken(
  work: Work,
  job: WholeJob,
  { kind, key }: { kind: string; key: string },
): Promise<boolean> {
  const all = [
    ...(kind === 'members' || kind === 'group_associations' ? [await keysOfChanged(work, job, key)] : []),
    ...(kind === 'members' || kind === 'cards' ? [await keysOfCards(work, job)] : []),
    ...(kind === 'members' ? [await hashesOfPins(work, job)] : []),
  ]
  if (all.some(found => found.length === mostLookedAt)) return true
  const digests = await digestsOfKeys(work, job, new Set(all.flat().flatMap(found => found.keys)))
  return digests.length > 0 && areNamed(work.db, job, digests)
}

/** Whether rows of the job have one of the digests. */
export async function areNamed(
  db: Database,
  { organization_id, id }: Pick<WholeJob, 'organization_id' | 'id'>,
  digests: readonly string[],
): Promise<boolean> {
  // `IS TRUE` has the digests hashed, whatever the planner expects: there can be many, and many names in rows.
  const [row] = await db.query(
    `SELECT 1 FROM job_rows r, unnest(string_to_array(concat_ws(' ', r.object_id, r.etag), ' ')) AS name
     WHERE r.organization_id = $1 AND r.job_id = $2 AND (name IN (SELECT unnest($3::text[]))) IS TRUE LIMIT 1`,
    [organization_id, id, digests],
  )
  return row !== undefined
}

async function digestsOfKeys(
  { context }: Work,
  { id }: WholeJob,
  keys: ReadonlySet<string>,
): Promise<string[]> {
  const slices = new Slices()
  const digests: string[] = []
  for (const key of keys) {
    if (slices.isOver) await slices.next()
    digests.push(digestOfKey(context, id, key))
  }
  return digests
}

/** A member that is deleted frees its cards and PINs, and one that is restored takes them again. */
const comingsAndGoings = `${changesSince} AND e.object->>'type' = 'member' AND (e.verb = 'delete' OR e.object->>'reason' = 'restored')`

interface Keyed extends Row {
  readonly keys: readonly string[]
}

function keysOfChanged({ db, caller }: Work, job: WholeJob, key: string): Promise<Keyed[]> {
  const { text, extra } = keysOfMembers(key, '$3')
  return db.query<Keyed>(
    `SELECT ${text} || m.id AS keys FROM members m WHERE m.organization_id = $1 AND m.id IN (
       SELECT e.object->>'member_id' FROM events e WHERE ${changesSince} AND e.object->>'type' IN ('member', 'member_email', 'member_card'))
     LIMIT ${mostLookedAt}`,
    [caller.organization_id, beginOf(job), ...extra],
  )
}

function keysOfCards({ db, caller }: Work, job: WholeJob): Promise<Keyed[]> {
  return db.query<Keyed>(
    `SELECT array_remove(ARRAY[c.id, c.uid, c.printed_code], NULL) AS keys FROM cards c WHERE c.organization_id = $1 AND c.id IN (
       SELECT e.object->>'card_id' FROM events e WHERE ${changesSince} AND e.object->>'type' = 'card'
       UNION ALL SELECT h.card_id FROM member_cards h WHERE h.organization_id = $1 AND (
         h.id IN (SELECT e.object->>'member_card_id' FROM events e WHERE ${changesSince} AND e.object->>'type' = 'member_card')
         OR h.member_id IN (SELECT e.object->>'member_id' FROM events e WHERE ${comingsAndGoings})))
     LIMIT ${mostLookedAt}`,
    [caller.organization_id, beginOf(job)],
  )
}

function hashesOfPins({ db, caller }: Work, job: WholeJob): Promise<Keyed[]> {
  return db.query<Keyed>(
    `SELECT ARRAY[encode(p.pin_hash, 'hex')] AS keys FROM member_pins p WHERE p.organization_id = $1 AND p.pin_hash IS NOT NULL AND (
       p.id IN (SELECT e.object->>'member_pin_id' FROM events e WHERE ${changesSince} AND e.object->>'type' = 'member_pin')
       OR p.member_id IN (SELECT e.object->>'member_id' FROM events e WHERE ${comingsAndGoings}))
     LIMIT ${mostLookedAt}`,
    [caller.organization_id, beginOf(job)],
  )
}
