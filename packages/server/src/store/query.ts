export type Row = Record<string, unknown>

/** A pool, or one transaction of it: services do not care which they were given. */
export interface Database {
  query<R extends object = Row>(
    text: string,
    params?: readonly unknown[],
    options?: { prepare?: boolean },
  ): Promise<R[]>
  /** Runs `work` in a transaction; inside one already, in that one. Deadlocks and serialization failures are repeated. */
  transaction<T>(work: (inner: Database) => Promise<T>): Promise<T>
}
