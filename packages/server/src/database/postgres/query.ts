export type Row = Record<string, unknown>

interface QueryOptions {
  /** False for rare statements: PostgreSQL keeps no prepared statement for them. */
  readonly prepare?: boolean
  /** The statement is read-only, so it may be repeated elsewhere if it is stuck behind a slow statement. */
  readonly may_repeat?: boolean
}

interface TransactionOptions {
  /** Nobody waits for it: it runs on a connection that leaves the processors to others, where there are such. */
  readonly gives_way?: boolean | undefined
  /**
   * Another transaction may be waiting for it, on a connection that it keeps. It runs on a connection of its own kind: if it waited for
   * one of the others, all of them could wait for it.
   */
  readonly is_awaited?: boolean | undefined
}

export const asRead: QueryOptions = { may_repeat: true }

/** What other parts of the service are notified of after a commit. */
export type Effect = 'events_written' | 'rights_changed'

/** A pool or one of its transactions. Services work with either. */
export interface Database {
  /**
   * Runs a statement. `R` declares the columns of its rows. Without `R`, no column of the rows can be read.
   * `R` is never inferred from how the result is used.
   */
  query<R extends object = object>(
    text: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<NoInfer<R>[]>
  /** Runs `work` in a transaction, or in the current one. Retries on deadlocks and serialization failures. */
  transaction<T>(work: (inner: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Announces an effect: after the commit if inside a transaction, otherwise immediately. */
  afterCommit(effect: Effect): void
}

/** Runs a statement with untyped rows. */
export type Query = (text: string, params?: readonly unknown[], options?: QueryOptions) => Promise<Row[]>

/** The only place that trusts rows to match their type. A test checks every statement against the schema. */
export function asQuery(query: Query): Database['query'] {
  return query as Database['query']
}

export interface Pool extends Database, AsyncDisposable {
  listen(channel: string, onMessage: (payload: string) => void): Promise<unknown>
  /** Calls the listener after every commit that had this effect. */
  onCommit(effect: Effect, listener: () => void): void
}
