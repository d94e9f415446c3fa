export type Row = Record<string, unknown>

interface QueryOptions {
  /** False for what is rarely asked: PostgreSQL keeps nothing of it. */
  readonly prepare?: boolean
  /** It changes nothing, so it may be asked again elsewhere when it waits behind a statement that takes long. */
  readonly may_repeat?: boolean
}

export const asRead: QueryOptions = { may_repeat: true }

/** What others in the service hear of once it is committed. */
export type Effect = 'events_written' | 'rights_changed'

/** A pool, or one transaction of it: services do not care which they were given. */
export interface Database {
  /**
   * The statement says which columns it answers, as its type. Without one, nothing of the rows can be read; and it is never
   * guessed from what the rows are used for.
   */
  query<R extends object = object>(
    text: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<NoInfer<R>[]>
  /** Runs `work` in a transaction; inside one already, in that one. Deadlocks and serialization failures are repeated. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
  /** Tells of an effect: inside a transaction once it has committed, outside of one at once, so after the statement. */
  afterCommit(effect: Effect): void
}

/** What runs a statement, whatever its columns. */
export type Query = (text: string, params?: readonly unknown[], options?: QueryOptions) => Promise<Row[]>

/** The one place where rows are believed to be what their statement says; a test holds every statement against the schema. */
export function asQuery(query: Query): Database['query'] {
  return query as Database['query']
}

export interface Pool extends Database, AsyncDisposable {
  listen(channel: string, onMessage: (payload: string) => void): Promise<unknown>
  /** Calls after every commit that had this effect. */
  onCommit(effect: Effect, listener: () => void): void
}
