import type { Pool } from '../../database/db.ts'

/** What an import of members fills. */
const tables = [
  'members',
  'member_group_associations',
  'member_emails',
  'member_pins',
  'member_cards',
  'cards',
]
/** Rows of a table above which a cached plan no longer takes it for an empty one. */
const large = 100_000
/** Rows after which statistics are taken first. Then each time that there are four times as many. */
const first = 400

/**
 * PostgreSQL keeps the plan by which it checks a foreign key, and the one for an empty table reads all of it: an import
 * into a new organization would take longer with each row. New statistics make it plan anew; the database itself takes
 * them too late.
 */
export class KeptStatistics {
  readonly #db: Pool
  #next: number

  constructor(db: Pool, rows: number) {
    this.#db = db
    this.#next = first
    while (this.#next <= rows) this.#next *= 4
  }

  /** Call outside of transactions with the number of rows that are done. */
  async tend(rows: number): Promise<void> {
    if (rows < this.#next) return
    this.#next *= 4
    const small = await this.#db.query<{ name: string }>(
      'SELECT relname::text AS name FROM pg_class WHERE relname = ANY($1::text[]) AND relnamespace = current_schema()::regnamespace AND reltuples < $2',
      [tables, large],
    )
    for (const { name } of small) await this.#db.query(`ANALYZE ${name}`, [], { prepare: false })
  }
}
