export type Row = Record<string, unknown>

export interface QueryOptions {
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
  query<R extends object = Row>(
    text: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]>
  /** Runs `work` in a transaction; inside one already, in that one. Deadlocks and serialization failures are repeated. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
  /** Tells of an effect: inside a transaction once it has committed, outside of one at once, so after the statement. */
  afterCommit(effect: Effect): void
}

export interface Pool extends Database, AsyncDisposable {
  listen(channel: string, onMessage: (payload: string) => void): Promise<unknown>
  /** Calls after every commit that had this effect. */
  onCommit(effect: Effect, listener: () => void): void
}
