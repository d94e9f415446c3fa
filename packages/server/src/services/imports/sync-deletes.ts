import { invalid, type Resources, resources, type StoredOf, type Survey } from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { finishRow, selectList } from '../../store/columns.ts'
import type { JobRow, JobRun } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { cursorOf, type ImportCursor } from './import-cursor.ts'
import { deleteMembers } from './members/apply-members.ts'
import { keysOfMembers } from './members/member-keys.ts'
import type { StoredImport } from './stored-import.ts'

/** What a sync will delete: members of its source that the file does not name. */
export interface SyncDeletes {
  readonly source: string
  readonly key: string
  readonly survey: Survey
  /** The dry run that it was started from: it deletes nobody else than that has shown. */
  readonly shown_by: string | null
  readonly count: number
  /** The most that may be deleted. */
  readonly most: number
  readonly max_deletes: string
  readonly notices: readonly string[]
}

const page = 1000

/** Counts what would be deleted. Throws, before anything is done, if that is more than the importer allows. */
export async function findDeletes(
  { context, job }: JobRun,
  { import: { mode, source, key, max_deletes } }: StoredImport,
  survey: Survey,
): Promise<SyncDeletes | undefined> {
  if (mode !== 'sync' || source === undefined || max_deletes === undefined) return undefined
  const wanted = { source, key, survey, max_deletes, shown_by: job.parent_job_id }
  if (survey.uncertain > 0)
    return {
      ...wanted,
      count: 0,
      most: 0,
      notices: [
        `Nothing is deleted, since it is uncertain whom ${survey.uncertain} of ${survey.rows} rows mean.`,
      ],
    }
  const [count, total] = await countMissing(context.db, job.organization_id, wanted)
  const { deleted } = cursorOf(job.cursor)
  const most = limitOf(max_deletes, total + deleted)
  if (job.cursor === null && count > most)
    throw invalid(
      'max_deletes',
      `${count} of ${total} members of this source are not in the file and would be deleted, but max_deletes is ${max_deletes}; nothing was done`,
    )
  return { ...wanted, count: count + deleted, most, notices: [] }
}

function limitOf(max_deletes: string, total: number): number {
  return max_deletes.endsWith('%')
    ? Math.floor((total * Number.parseFloat(max_deletes)) / 100)
    : Number(max_deletes)
}

/** Members of the source may have come since they were counted. */
function guard({ most, max_deletes }: SyncDeletes, count: number): void {
  if (count > most)
    throw invalid(
      'max_deletes',
      `while the import ran, members of this source came that are not in the file: ${count} would be deleted, but max_deletes is ${max_deletes}; what is done stays`,
    )
}

type Wanted = Pick<SyncDeletes, 'source' | 'key' | 'survey' | 'shown_by'>

async function countMissing(
  db: Database,
  organization_id: string,
  wanted: Wanted,
): Promise<[number, number]> {
  let [missing, total] = [0, 0]
  for (let after = ''; ; ) {
    const members = await readMembers(db, organization_id, wanted, after, page)
    total += members.length
    missing += members.filter(member => isMissing(member, wanted)).length
    if (members.length < page) return [missing, total]
    after = members.at(-1)?.id ?? ''
  }
}

interface Keyed {
  readonly id: string
  readonly keys: readonly string[]
  /** Whether the dry run has listed it as deleted, if there was one. */
  readonly is_shown: boolean
}

function readMembers(
  db: Database,
  organization_id: string,
  { source, key, shown_by }: Wanted,
  after: string,
  limit: number,
): Promise<Keyed[]> {
  const { text, extra } = keysOfMembers(key, '$6')
  return db.query<Keyed>(
    `SELECT m.id, ${text} AS keys, ($5::text IS NULL OR EXISTS (SELECT 1 FROM job_rows r
       WHERE r.organization_id = m.organization_id AND r.job_id = $5 AND r.object_id = m.id AND r.outcome = 'deleted')) AS is_shown
     FROM members m
     WHERE m.organization_id = $1 AND m.is_deleted = false AND coalesce(m.metadata->>'source', '') = $2 AND m.id > $3
     ORDER BY m.id LIMIT $4`,
    [organization_id, source, after, limit, shown_by, ...extra],
  )
}

function isMissing({ id, keys, is_shown }: Keyed, { key, survey }: Wanted): boolean {
  return is_shown && !survey.names('id', id) && !keys.some(value => survey.names(key, value))
}

interface Deleted {
  readonly rows: JobRow[]
  readonly diff: Row[]
  readonly looked_at: string
  readonly is_done: boolean
}

/** Deletes the next of them. */
export async function deleteMissing(
  work: Work,
  deletes: SyncDeletes,
  { looked_at, deleted }: ImportCursor,
  { most, is_dry_run }: { readonly most: number; readonly is_dry_run: boolean },
): Promise<Deleted> {
  const { organization_id } = work.caller
  const members = await readMembers(work.db, organization_id, deletes, looked_at, most)
  const ids = members.filter(member => isMissing(member, deletes)).map(({ id }) => id)
  const held = await lock(work, ids)
  guard(deletes, deleted + held.length)
  if (!is_dry_run)
    await deleteMembers(
      work,
      held.map(({ id }) => id),
    )
  const last = deletes.survey.last_line
  return {
    rows: held.map((member, index) => ({
      number: last + deleted + index + 1,
      outcome: 'deleted',
      object_id: member.id,
      etag: etagOf(resources.member, { ...member, is_deleted: true }),
      ...(!is_dry_run && { detail: { kind: 'member', before: { is_deleted: false } } }),
    })),
    diff: held.map(({ id, external_id, name }) => ({
      line: null,
      outcome: 'deleted',
      member_id: id,
      external_id,
      name,
      before: { is_deleted: false },
      after: { is_deleted: true },
    })),
    looked_at: members.at(-1)?.id ?? looked_at,
    is_done: members.length < most,
  }
}

async function lock({ db, caller }: Work, ids: readonly string[]): Promise<StoredOf<Resources['member']>[]> {
  if (ids.length === 0) return []
  const rows = await db.query<StoredOf<Resources['member']>>(
    `SELECT ${selectList(resources.member)} FROM members t WHERE t.organization_id = $1 AND t.id = ANY($2::text[]) AND NOT t.is_deleted
     ORDER BY t.id FOR UPDATE`,
    [caller.organization_id, ids],
  )
  return rows.map(finishRow(resources.member))
}
