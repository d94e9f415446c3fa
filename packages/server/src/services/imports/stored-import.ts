import type { ImportSettings, TableFormat } from '@gatehouse-access/api'
import type { Encoding } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import type { DataOf } from '../jobs/job-data.ts'
import type { SealedJob } from '../jobs/job-type.ts'

/** What the job of an import was asked to do, and what is known of its file. */
export interface StoredImport {
  readonly import: ImportSettings
  readonly format: TableFormat
  readonly encoding: Encoding
  /** The zone of times without an offset. */
  readonly zone: string | null
  readonly rows: number
  /** What its columns mean. Unknown of imports that an earlier version has stored. */
  readonly columns?: readonly string[]
  /** What to tell of the file itself. */
  readonly notices: readonly string[]
}

/** Returns undefined if an erasure has emptied the settings, since they named the member. */
export function storedImport(settings: Row): StoredImport | undefined {
  return 'import' in settings ? (settings as unknown as StoredImport) : undefined
}

export function dataOf({ job, key }: SealedJob): DataOf {
  return { organization_id: job.organization_id, job_id: job.id, key }
}
