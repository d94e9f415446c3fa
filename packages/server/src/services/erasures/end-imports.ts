import { mostNotices, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { MemberKey } from '../../erasing/erase-rows.ts'
import { ownIds, waitingImports } from '../../erasing/holdings.ts'
import { updateObject, type Write } from '../../store/write.ts'
import { keysOfMembers } from '../imports/members/member-keys.ts'
import { digestOfKey } from '../imports/rows/key-digest.ts'
import { serviceOf } from '../jobs/rights.ts'
import { findWhole } from '../jobs/sealed-jobs.ts'
import type { Context } from '../objects/context.ts'

/** Such rows name nobody yet. */
const creates = `(j.summary->>'created')::integer > 0`

interface Waiting {
  readonly id: string
  readonly key: string
  /** It ended after the member was erased: with which keys it would have been made, nobody knows any more. */
  readonly is_late: boolean
}

export interface Imports {
  /** Those that await their start, and may hold a member. */
  readonly imports: readonly string[]
  /** All that were looked at. */
  readonly seen: readonly string[]
}

/**
 * Finds the imports that await their start and may hold a member: rows that name the member, or would make somebody with its key, and
 * rows that name nobody, since they were refused or have no key. Reads all rows of a file, so it is called outside of the transaction
 * that ends them.
 */
export async function findImports(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  member: MemberKey,
): Promise<Imports> {
  const of = [member.organization_id, member.member_id]
  const jobs = await db.query<Waiting>(
    `SELECT j.id, coalesce(j.settings->'import'->>'key', '') AS key,
       ${creates} AND EXISTS (SELECT 1 FROM members m WHERE m.organization_id = $1 AND m.id = $2
         AND j.ended_at > m.erased_at) AS is_late
     FROM jobs j WHERE j.organization_id = $1 AND ${waitingImports}`,
    of,
  )
  const held: string[] = []
  for (const { id, key, is_late } of jobs) {
    const digests = (await keysOf(db, member, key)).map(one => digestOfKey({ vault }, id, one))
    if (is_late || (await mayHold(db, of, id, digests))) held.push(id)
  }
  return { imports: held, seen: jobs.map(({ id }) => id) }
}

/** Returns those that would make somebody and have ended since they were looked at: with which keys, only the member could have told. */
export async function findUnseen(
  db: Database,
  member: MemberKey,
  seen: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT j.id FROM jobs j WHERE j.organization_id = $1 AND ${creates} AND j.id <> ALL($3::text[]) AND ${waitingImports}`,
    [member.organization_id, member.member_id, seen],
  )
  return rows.map(({ id }) => id)
}

/** By which an import would recognize the member, or one of its cards. */
async function keysOf(db: Database, member: MemberKey, key: string): Promise<string[]> {
  const { text, extra } = keysOfMembers(key, '$3')
  const rows = await db.query<{ keys: string[] }>(
    `SELECT ${text} || ARRAY(SELECT unnest(array_remove(ARRAY[c.uid, c.printed_code], NULL)) FROM member_cards h
       JOIN cards c ON c.organization_id = h.organization_id AND c.id = h.card_id WHERE h.organization_id = $1 AND h.member_id = $2) AS keys
     FROM members m WHERE m.organization_id = $1 AND m.id = $2`,
    [member.organization_id, member.member_id, ...extra],
  )
  return rows.flatMap(({ keys }) => keys)
}

async function mayHold(
  db: Database,
  of: readonly string[],
  job_id: string,
  digests: readonly string[],
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM job_rows r WHERE r.organization_id = $1 AND r.job_id = $3
       AND (r.object_id IS NULL OR string_to_array(r.object_id, ' ') && ($4::text[] || ${ownIds})) LIMIT 1`,
    [...of, job_id, digests],
  )
  return rows.length > 0
}

const reason =
  'Somebody was erased whom the file may name. It was removed; send it again without that person.'

/** Cancels imports that still await their start: what they were sent goes with the member. */
export async function endImports(write: Write, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const job = await findWhole(write.db, write.caller.organization_id, id, true)
    if (job?.state !== 'awaiting') continue
    const notices = [reason, ...job.notices].slice(0, mostNotices)
    const changes = { state: 'canceled', can_start_until: null, notices } as const
    await updateObject({ ...write, caller: serviceOf(job) }, resources.job, job, changes)
  }
}
