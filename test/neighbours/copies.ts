import { randomBytes } from 'node:crypto'
import { makeId } from '@gatehouse-access/core'
import type { Pool } from '@gatehouse-access/server'

/** Copies existing rows in SQL, which would take hours through the API. */
export class Copies {
  readonly #db: Pool
  #time = Date.now() - 3_600_000

  constructor(db: Pool) {
    this.#db = db
  }

  ids(prefix: string, count: number): string[] {
    return Array.from({ length: count }, () => makeId(prefix, this.#time++, randomBytes(7)))
  }

  async of(
    table: string,
    template: string,
    prefix: string,
    count: number,
    differ: (index: number) => object = () => ({}),
  ): Promise<string[]> {
    const ids = this.ids(prefix, count)
    await this.as(table, template, ids, differ)
    return ids
  }

  async as(table: string, template: string, ids: readonly string[], differ: (index: number) => object) {
    const rows = ids.map((id, index) => ({ id, ...differ(index) }))
    for (let start = 0; start < rows.length; start += 500)
      await this.#db.query(
        // Not `(jsonb_populate_record(…)).*`, which calls it once for each column.
        `INSERT INTO ${table} SELECT copy.* FROM ${table} t, jsonb_array_elements($2::text::jsonb) AS made,
         LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(t) || made) AS copy WHERE t.id = $1`,
        [template, JSON.stringify(rows.slice(start, start + 500))],
      )
  }
}
