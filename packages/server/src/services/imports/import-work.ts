import {
  mostRowErrors,
  RequestError,
  type SourceRow,
  type Survey,
  type TableReader,
} from '@gatehouse-access/api'
import { openZone } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { explainConflict } from '../../store/constraints.ts'
import type { Batch, BatchResult, FileKind, JobRow, JobRun, JobWork } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import {
  diffFile,
  ErrorLines,
  errorsFile,
  foreseenFile,
  part,
  resultLine,
  resultsFile,
  resultsHead,
} from './files.ts'
import { advance, cursorOf, endlessNotice, type ImportCursor } from './import-cursor.ts'
import { importerOf, type RowImporter } from './importers.ts'
import { InputRows } from './input-rows.ts'
import { KeptStatistics } from './keep-statistics.ts'
import { renewRooms } from './members/take-rooms.ts'
import { RowBuffer } from './row-buffer.ts'
import { Foreseen } from './rows/foreseen.ts'
import { digestOfKey } from './rows/key-digest.ts'
import type { RowResult } from './rows/row-result.ts'
import { dataOf, type StoredImport } from './stored-import.ts'
import { deleteMissing, type SyncDeletes } from './sync-deletes.ts'

/** What is known of an import before its first row. */
export interface Known {
  readonly told: StoredImport
  readonly survey: Survey
  readonly table: TableReader
  /** Of a sync. */
  readonly deletes: SyncDeletes | undefined
  readonly foreseen: Foreseen
}

const mostRows = 80
/** Milliseconds that a batch may take before the next is smaller, and the fewest rows that are worth a transaction. */
const pleasant = 60
const fewestRows = 50
/** Rows of a batch while requests arrive. Fewer would have those who follow events work more often, which costs more than a batch. */
const politeRows = 40

/** An import in progress: rows in file order, then what a sync deletes. */
export class ImportWork implements JobWork {
  readonly #run: JobRun
  readonly #known: Known
  readonly #errors: ErrorLines
  readonly #buffer: RowBuffer
  readonly #importRows: RowImporter
  readonly #statistics: KeptStatistics
  /** What the batch in progress began with, and what the last one left. */
  #held: ImportCursor
  #left: ImportCursor
  #isFirst = true
  /** The rows that are done once the batch whose notes are held is stored. */
  #noted: number | undefined
  /** Whether the last batch has deleted members, whose room is free once it is stored. */
  #hasMadeRoom = false
  #size = fewestRows
  readonly #counted = new Set<number>()

  constructor(run: JobRun, known: Known) {
    const { told, survey, table } = known
    this.#run = run
    this.#known = known
    this.#errors = new ErrorLines(table.columns, table.head)
    this.#buffer = new RowBuffer(new InputRows(run.context.db, dataOf(run.input), told))
    this.#importRows = importerOf(told.import.kind, {
      survey,
      digest: key => digestOfKey(run.context, run.job.id, key),
      reading: {
        settings: told.import,
        moments: told.zone === null ? undefined : openZone(told.zone, run.context.zones.table(told.zone)),
        is_day_first: table.head?.is_day_first ?? false,
        pin_length: survey.pin_length,
      },
    })
    this.#held = cursorOf(run.job.cursor)
    this.#left = this.#held
    this.#statistics = new KeptStatistics(run.context.db, this.#held.rows)
  }

  get files(): readonly FileKind[] {
    if (this.#run.job.is_dry_run) return [diffFile, errorsFile]
    return this.#left.secrets > 0 ? [errorsFile, resultsFile] : [errorsFile]
  }

  get is_whole(): boolean {
    return this.#known.told.import.on_row_error === 'rollback' && !this.#run.job.is_dry_run
  }

  /** Reads the rows of the next batch. */
  async prepare(cursor: Row | null): Promise<void> {
    const { context, job } = this.#run
    if (!job.is_dry_run) await this.#statistics.tend(this.#left.rows)
    const { survey, told } = this.#known
    if (told.import.kind === 'members')
      await renewRooms(context, job.organization_id, told, this.#hasMadeRoom)
    await this.#buffer.fill(cursorOf(cursor).rows, this.is_whole ? survey.rows : mostRows, this.is_whole)
  }

  async run(batch: Batch): Promise<BatchResult> {
    this.#held = cursorOf(batch.cursor)
    const { survey, deletes, foreseen } = this.#known
    foreseen.settle(this.#noted === this.#held.rows)
    this.#noted = undefined
    this.#isFirst = batch.cursor === null
    if (this.is_whole) return this.#runWhole(batch)
    if (!this.#isFirst && this.#held.rows >= survey.rows && deletes) return this.#runDeletes(batch, deletes)
    const begun = performance.now()
    const most = this.#run.context.traffic.isSteady() ? politeRows : this.#size
    const rows = this.#buffer.take(this.#held.rows, Math.min(batch.most, this.#size, most))
    const results = batch.refused ? refuseFirst(rows, batch.refused) : await this.#import(batch.work, rows)
    this.#learnSize(performance.now() - begun, rows.length)
    this.#hasMadeRoom = results.some(({ outcome }) => outcome === 'deleted')
    return this.#store(results, results.length < rows.length && !batch.refused)
  }

  #import(
    work: Work,
    rows: readonly SourceRow[],
    { is_dry_run, foreseen } = { is_dry_run: this.#run.job.is_dry_run, foreseen: this.#known.foreseen },
  ): Promise<RowResult[]> {
    const stops = this.#known.told.import.on_row_error === 'stop'
    const { input, job } = this.#run
    const dry_run_id = input.job.id === job.id ? undefined : input.job.id
    return rows.length === 0
      ? Promise.resolve([])
      : this.#importRows(work, rows, { is_dry_run, stops, foreseen, dry_run_id, counted: this.#counted })
  }

  #learnSize(took: number, rows: number): void {
    if (took > pleasant) this.#size = Math.max(fewestRows, Math.floor(rows / 2))
    else if (rows >= this.#size) this.#size = Math.min(mostRows, Math.ceil(this.#size * 1.5))
  }

  /**
   * All rows or none. Members are checked first, and what that writes is taken back: a long transaction that has written
   * holds back whoever reads the feed. Other kinds are only tried by writing them.
   */
  async #runWhole({ work, refused }: Batch): Promise<BatchResult> {
    if (refused) return this.#rollBack([], `a row could not be written: ${explain(refused)}`)
    const { told, survey } = this.#known
    const rows = this.#buffer.take(0, survey.rows)
    for (const is_dry_run of told.import.kind === 'members' ? [true, false] : [false]) {
      const results: RowResult[] = []
      if (is_dry_run) await work.db.query('SAVEPOINT checked')
      const foreseen = new Foreseen()
      for (let start = 0; start < rows.length; start += mostRows) {
        results.push(
          ...(await this.#import(work, rows.slice(start, start + mostRows), { is_dry_run, foreseen })),
        )
        foreseen.settle(true)
      }
      const failed = results.filter(({ outcome }) => outcome === 'failed').length
      if (failed > 0) return this.#rollBack(results, `${failed} of ${rows.length} rows are refused`)
      if (is_dry_run) await work.db.query('ROLLBACK TO SAVEPOINT checked')
      if (!is_dry_run) return this.#store(results, false)
    }
    throw new Error('the last round stores or rolls back')
  }

  #rollBack(results: readonly RowResult[], why: string): BatchResult {
    const kept = results.map(result =>
      result.outcome === 'failed'
        ? result
        : { source: result.source, outcome: 'skipped' as const, problems: [], notices: [] },
    )
    const error = new RequestError('invalid_request', `nothing was imported: ${why}`)
    return { ...this.#store(kept, false), is_done: true, rolls_back: true, error }
  }

  #store(results: readonly RowResult[], isStopped: boolean): BatchResult {
    const { told, survey, deletes, foreseen } = this.#known
    const { is_dry_run } = this.#run.job
    const isFirst = this.#isFirst
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    const kept = failed.slice(0, Math.max(0, mostRowErrors - this.#held.errors))
    const secrets = results.map(resultLine).filter(line => line !== '')
    const cursor = advance(this.#held, results, kept.length, secrets.length)
    this.#left = cursor
    this.#noted = cursor.rows
    const isRead = cursor.rows >= survey.rows || isStopped
    const isDone = isRead && (isStopped || !deletes || deletes.count === 0)
    const errors = kept.map(({ source, problems }) => this.#errors.line(source, problems)).join('')
    const diff = results.map(({ diff: line }) => (line ? `${JSON.stringify(line)}\n` : '')).join('')
    const head = this.#held.secrets === 0 && secrets.length > 0 ? resultsHead : ''
    const { entries } = foreseen
    return {
      cursor: { ...cursor },
      is_done: isDone,
      total: survey.rows + (deletes?.count ?? 0),
      rows: results.map(result => rowOf(result, kept)),
      summary: { credentials_created: sum(results.map(result => result.credentials_created ?? 0)) },
      notices: [
        ...(isFirst ? [...told.notices, ...(deletes?.notices ?? [])] : []),
        ...results.flatMap(result => result.notices),
        ...(isStopped ? [`Stopped at line ${failed[0]?.source.line}, the first row that is refused.`] : []),
        ...(isRead ? endlessNotice(cursor, is_dry_run) : []),
        ...(isRead && cursor.errors === mostRowErrors
          ? [`Only the first ${mostRowErrors} row errors are kept.`]
          : []),
      ],
      parts: [
        ...part(errorsFile, `${isFirst ? this.#errors.head : ''}${errors}`),
        ...part(diffFile, is_dry_run ? diff : ''),
        ...part(resultsFile, is_dry_run ? '' : head + secrets.join('')),
        ...(entries.length > 0 ? [{ name: foreseenFile, bytes: entries }] : []),
      ],
    }
  }

  async #runDeletes({ work, most }: Batch, deletes: SyncDeletes): Promise<BatchResult> {
    const { is_dry_run } = this.#run.job
    const found = await deleteMissing(work, deletes, this.#held, { most, is_dry_run })
    const cursor = {
      ...this.#held,
      looked_at: found.looked_at,
      deleted: this.#held.deleted + found.rows.length,
    }
    this.#left = cursor
    const diff = found.diff.map(line => `${JSON.stringify(line)}\n`).join('')
    return {
      cursor,
      is_done: found.is_done,
      rows: found.rows,
      parts: part(diffFile, is_dry_run ? diff : ''),
    }
  }
}

function rowOf(result: RowResult, kept: readonly RowResult[]): JobRow {
  const { source, outcome, object_id, etag, undo, problems } = result
  const detail = outcome === 'failed' ? (kept.includes(result) ? { problems } : undefined) : undo
  return { number: source.line, outcome, object_id, etag, detail }
}

/** The row that a statement failed for, which was tried alone. */
function refuseFirst(rows: readonly SourceRow[], refused: Error): RowResult[] {
  return rows.slice(0, 1).map(source => ({
    source,
    outcome: 'failed',
    problems: [{ column: '', problem: explain(refused) }],
    notices: [],
  }))
}

/** What a database says of a value may repeat it, so only what is understood is told. */
function explain(error: Error): string {
  return explainConflict(error)?.message ?? 'The row could not be stored'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
