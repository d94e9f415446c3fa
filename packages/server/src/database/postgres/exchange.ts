import type { Prepared } from './prepared.ts'
import type { PostgresError } from './wire/errors.ts'
import type { Column, Row } from './wire/rows.ts'
import type { Shape } from './wire/shapes.ts'

/** The transaction state that the connection must be in after the statement. */
export type Place = 'outside' | 'inside'

/** What a COPY statement does besides answering. */
interface Copy {
  /** Takes what PostgreSQL sends. */
  onData?(bytes: Buffer): void
  /** PostgreSQL waits for what is sent to it. */
  onIn?(): void
}

/** A statement whose caller waits for the result. */
export interface Statement {
  readonly shape: Shape
  readonly params: readonly unknown[]
  /** False: nothing is prepared, and without parameters the text may contain several statements. */
  readonly mayPrepare: boolean
  readonly place: Place
  /** The statement is read-only, so it may be sent twice. */
  readonly mayRepeat?: boolean | undefined
  /** Whether the statement is the first of its transaction, and BEGIN is sent with it. */
  begins: boolean
  readonly copy?: Copy | undefined
  resolve(rows: Row[], tag: string): void
  reject(error: Error): void
}

/** What was sent up to one Sync, and the response so far. */
export interface Exchange {
  readonly statement: Statement
  /** Only asks for the parameter types. */
  readonly isInquiry: boolean
  readonly prepared: Prepared | undefined
  /** How many ParseComplete messages come before the one of `prepared`. */
  parsesBefore: number
  columns: readonly Column[] | undefined
  rows: Row[]
  /** Size of all rows, including those of statements before the last. */
  bytes: number
  tag: string
  /** How many completions PostgreSQL has reported. A parameter description counts as one. */
  completions: number
  error: PostgresError | undefined
}

export function isSimple({ params, mayPrepare }: Statement): boolean {
  return params.length === 0 && !mayPrepare
}
