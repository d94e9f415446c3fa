import {
  type ImportSettings,
  invalid,
  largestRollback,
  mostImportColumns,
  mostImportRows,
  mostRollbackRows,
  quoted,
  RequestError,
  type Survey,
  type TableFormat,
  type TableReader,
} from '@gatehouse-access/api'
import { holdLock } from '../../database/locks.ts'
import { createJob } from '../jobs/create-job.ts'
import type { Job } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { surveyInput } from './input-rows.ts'
import type { StoredImport } from './stored-import.ts'
import type { Upload } from './upload.ts'

/** Checks a file that has arrived. Throws what makes all of it unusable, before there is a job. */
export async function checkImport(
  work: Work,
  upload: Upload,
  settings: ImportSettings,
  format: TableFormat,
): Promise<StoredImport> {
  const { encoding } = upload.finder
  const zone = await findZone(work, settings)
  const told = { import: settings, format, encoding }
  const { survey, table } = await surveyInput(work.db, upload.of, told)
  checkHead(table)
  checkRows(survey, settings)
  checkSize(upload, settings)
  if (zone === null && survey.needs_zone)
    throw invalid(
      'timezone',
      'timezone is required: the file has times without an offset, and the sites of the organization are not all in one zone',
    )
  return { ...told, zone, rows: survey.rows, columns: columnsOf(table), notices: noticesOf(told, table) }
}

function columnsOf({ head }: TableReader): string[] {
  return (head?.targets ?? []).filter(target => target !== null)
}

async function findZone({ db, caller, context }: Work, { timezone }: ImportSettings): Promise<string | null> {
  if (timezone !== undefined) {
    const found = context.zones.find(timezone)
    if (found === undefined)
      throw invalid(
        'timezone',
        `timezone must be a known IANA time zone like Europe/Madrid, not ${quoted(timezone)}`,
      )
    return found
  }
  const zones = await db.query<{ timezone: string }>(
    'SELECT DISTINCT timezone FROM sites WHERE organization_id = $1 AND NOT is_deleted LIMIT 2',
    [caller.organization_id],
  )
  return zones.length === 1 ? (zones[0]?.timezone ?? null) : null
}

function checkHead({ columns, head }: TableReader): void {
  if (!head || columns.every(name => name.trim() === ''))
    throw invalid('', 'the file has no head line: its first line must name the columns')
  if (columns.length > mostImportColumns)
    throw invalid('', `the file has more than ${mostImportColumns} columns`)
  const [unknown] = head.unknown
  if (unknown !== undefined)
    throw new RequestError(
      'invalid_request',
      `unknown ${head.unknown.length === 1 ? 'column' : 'columns'} ${head.unknown.map(quoted).join(', ')}; say in mapping what it means, such as "metadata.<key>", or null to pass it over`,
      { args: { field: 'mapping', column: unknown } },
    )
  const [repeated] = head.repeated
  if (repeated !== undefined)
    throw new RequestError(
      'invalid_request',
      `the column ${quoted(repeated)} means the same as one before it`,
      {
        args: { field: 'mapping', column: repeated },
      },
    )
}

function checkRows({ rows }: Survey, { on_row_error }: ImportSettings): void {
  if (rows > mostImportRows)
    throw invalid('', `the file has ${rows} rows; at most ${mostImportRows} can be imported at once`)
  if (on_row_error === 'rollback' && rows > mostRollbackRows)
    throw invalid(
      'on_row_error',
      `the file has ${rows} rows; at most ${mostRollbackRows} can be imported with on_row_error rollback`,
    )
}

/** All rows of a file that is imported as a whole are held in memory. */
function checkSize({ bytes }: Upload, { on_row_error }: ImportSettings): void {
  if (on_row_error === 'rollback' && bytes > largestRollback)
    throw invalid(
      'on_row_error',
      `the file has ${bytes} bytes; at most ${largestRollback} can be imported with on_row_error rollback`,
    )
}

function noticesOf(
  { import: { kind, mode, key }, encoding }: Pick<StoredImport, 'import' | 'encoding'>,
  { head }: TableReader,
): string[] {
  const targets: readonly (string | null)[] = head?.targets ?? []
  const hasKey = targets.includes(key) || targets.includes('id')
  if (mode === 'sync' && !hasKey)
    throw invalid('key', `the file has no column ${key}, which is the key of this sync`)
  return [
    ...(encoding === 'windows-1252'
      ? ['The file is not in UTF-8. It was read as Windows-1252; check letters with accents.']
      : []),
    ...(kind === 'members' && !hasKey && mode === 'upsert'
      ? [`The file has no column ${key}, so every row makes a new member, also if the file is sent again.`]
      : []),
  ]
}

/** Queues the import. Needs a transaction. */
export async function queueImport(work: Work, upload: Upload, told: StoredImport): Promise<Job> {
  const { import: settings } = told
  if (!settings.dry_run) await refuseSecondSync(work, settings)
  return createJob(work, {
    type: 'import',
    settings: { ...told },
    is_dry_run: settings.dry_run,
    seed: upload.seed,
  })
}

/** Two syncs of one source would delete what the other has just made. */
export async function refuseSecondSync(
  { db, caller }: Work,
  { mode, source }: Pick<ImportSettings, 'mode' | 'source'>,
): Promise<void> {
  if (mode !== 'sync') return
  await holdLock(db, 'jobs_of_organization', caller.organization_id)
  const [other] = await db.query<{ id: string }>(
    `SELECT id FROM jobs WHERE organization_id = $1 AND NOT is_deleted AND state IN ('queued', 'running') AND type = 'import' AND NOT is_dry_run
       AND undo_of_job_id IS NULL AND settings->'import'->>'mode' = 'sync' AND settings->'import'->>'source' = $2 LIMIT 1`,
    [caller.organization_id, source],
  )
  if (other)
    throw new RequestError('job_running', `another sync of this source is queued or running: ${other.id}`, {
      args: { job_id: other.id },
    })
}
