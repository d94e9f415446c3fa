import type { Prepared } from './prepared.ts'
import type { PostgresError } from './wire/errors.ts'
import type { Column, Row } from './wire/rows.ts'
import type { Shape } from './wire/shapes.ts'

/** What a connection must be in once the statement is answered. */
export type Place = 'outside' | 'inside'

/** A statement that somebody waits for. */
export interface Statement {
  readonly shape: Shape
  readonly params: readonly unknown[]
  /** False: PostgreSQL keeps nothing of it, and without parameters its text may hold several statements. */
  readonly mayPrepare: boolean
  readonly place: Place
  /** It changes nothing: it may be asked twice. */
  readonly mayRepeat?: boolean | undefined
  /** It opens the transaction that it is the first of. */
  begins: boolean
  resolve(rows: Row[], tag: string): void
  reject(error: Error): void
}

/** What was sent up to one Sync, and what came back of it so far. */
export interface Exchange {
  readonly statement: Statement
  /** Only asks for the types of the placeholders. */
  readonly isInquiry: boolean
  readonly prepared: Prepared | undefined
  /** How many confirmations of texts come before that of `prepared`. */
  parsesBefore: number
  columns: readonly Column[] | undefined
  rows: Row[]
  /** Of all its rows, also those of statements before the last. */
  bytes: number
  tag: string
  /** How often PostgreSQL said that something ran; telling types counts as well. */
  completions: number
  error: PostgresError | undefined
}

export function isSimple({ params, mayPrepare }: Statement): boolean {
  return params.length === 0 && !mayPrepare
}
