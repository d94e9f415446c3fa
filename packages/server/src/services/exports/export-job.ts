import type { ExportBody } from '@gatehouse-access/api'
import type { Row } from '../../database/db.ts'
import { isSought } from '../../store/events/sought-events.ts'
import { countObjects } from '../../store/list.ts'
import type { Reach } from '../../store/where.ts'
import { removeFiles } from '../jobs/job-data.ts'
import type { BatchResult, JobRun, JobType, JobWork } from '../jobs/job-type.ts'
import { findAsked } from '../objects/find-asked.ts'
import { type ExportPlan, planExport } from './export-plan.ts'
import { readExportPage } from './read-page.ts'
import { RowWriter } from './row-writer.ts'
import { Snapshot } from './snapshot.ts'

const mediaTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' }

/** Each holds a connection of its own. */
const mostSnapshots = 8
/** As large as a count can be. */
const mostCounted = 2_147_483_647

export const exportJob: JobType = {
  name: 'export',
  most_at_once: mostSnapshots,
  async begin(run) {
    const { organization_id, created_by, settings } = run.job
    const application = created_by.oauth_application_id ?? undefined
    const planned = planExport(settings as unknown as ExportBody, application)
    // A snapshot ends with its process, so whoever goes on begins anew.
    await removeFiles(run.context.db, { organization_id, job_id: run.job.id })
    const query = await findAsked(run.context.db, run.context, { organization_id }, planned.query)
    const plan = { ...planned, query }
    const snapshot = await Snapshot.take(run.context.config)
    try {
      const reach = { organization_id, oauth_application_id: application }
      const writer = await RowWriter.open(snapshot.db, plan, reach)
      // To count the events of a large group, each event of the organization would be looked at.
      const total = isSought(plan.resource, query)
        ? undefined
        : await countObjects(snapshot.db, plan.resource, reach, query, mostCounted)
      return new ExportWork(run, plan, reach, snapshot, writer, total)
    } catch (error) {
      await snapshot[Symbol.asyncDispose]()
      throw error
    }
  },
}

interface PreparedPage {
  /** Counts from 1. */
  readonly number: number
  readonly pieces: readonly string[]
  readonly rows: number
  readonly cursor_next: string | undefined
}

class ExportWork implements JobWork {
  readonly begins_anew = true
  readonly files
  readonly #run: JobRun
  readonly #plan: ExportPlan
  readonly #reach: Reach
  readonly #snapshot: Snapshot
  readonly #writer: RowWriter
  readonly #total: number | undefined
  #page: PreparedPage | undefined

  constructor(
    run: JobRun,
    plan: ExportPlan,
    reach: Reach,
    snapshot: Snapshot,
    writer: RowWriter,
    total: number | undefined,
  ) {
    this.#run = run
    this.#plan = plan
    this.#reach = reach
    this.#snapshot = snapshot
    this.#writer = writer
    this.#total = total
    this.files = [{ name: `${plan.resource.plural}.${plan.format}`, media_type: mediaTypes[plan.format] }]
  }

  /** A page that is not stored yet is kept. */
  async prepare(cursor: Row | null): Promise<void> {
    const stored = Number(cursor?.pages ?? 0)
    if (this.#page && this.#page.number > stored) return
    const { db } = this.#snapshot
    const { context } = this.#run
    const page = await readExportPage(
      { db, context },
      this.#plan,
      this.#reach,
      this.#writer,
      this.#page?.cursor_next,
    )
    const head = stored === 0 ? [this.#writer.head] : []
    this.#page = { ...page, number: stored + 1, pieces: [...head, ...page.pieces] }
  }

  async run(): Promise<BatchResult> {
    const { number, pieces, rows, cursor_next } = this.#page ?? nothing
    const name = this.files[0]?.name ?? ''
    return {
      cursor: { pages: number },
      is_done: cursor_next === undefined,
      ...(this.#total !== undefined && { total: this.#total }),
      succeeded: rows,
      parts: pieces.filter(piece => piece !== '').map(piece => ({ name, bytes: Buffer.from(piece) })),
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#snapshot[Symbol.asyncDispose]()
  }
}

const nothing: PreparedPage = { number: 0, pieces: [], rows: 0, cursor_next: undefined }
