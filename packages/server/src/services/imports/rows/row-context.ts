import type { RowReading, Survey } from '@gatehouse-access/api'
import type { Foreseen } from './foreseen.ts'

/** What rows are read and checked by. */
export interface RowContext {
  readonly reading: RowReading
  readonly survey: Survey
  /** What stands for a member or card that a dry run would make. */
  readonly digest: (key: string) => string
}

export interface BatchOptions {
  readonly foreseen: Foreseen
  readonly is_dry_run: boolean
  /** Whether rows behind the first that is refused are left alone. */
  readonly stops: boolean
  /** The dry run that is started. */
  readonly dry_run_id: string | undefined
  /** Lines whose PIN was refused and counted: a row that is planned again is not counted again. */
  readonly counted: Set<number>
}
