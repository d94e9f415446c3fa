import type postgres from 'postgres'

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

export function runQuery<R>(
  sql: postgres.Sql | postgres.TransactionSql,
  text: string,
  params: readonly unknown[] = [],
  options: { prepare?: boolean } = prepared,
  onFailure?: (error: unknown) => never,
): Promise<R[]> {
  const query = sql.unsafe(text, params as never[], options)
  return query.then(withoutHoles, onFailure) as unknown as Promise<R[]>
}

const prepared = { prepare: true }

/**
 * After a statement that failed between two rows, the driver numbers the rows of the connection's next one from where it
 * stopped, so that they begin with holes.
 */
function withoutHoles<R extends readonly unknown[]>(rows: R): R | unknown[] {
  return rows.length === 0 || 0 in rows ? rows : rows.filter(() => true)
}
