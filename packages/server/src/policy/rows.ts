import type { PolicyKind } from '@gatehouse-access/core'
import type { Database, Row } from '../database/db.ts'
import { type Moment, momentOf, presentMoment } from '../database/moment.ts'
import { type Source, sources } from './sources.ts'

export interface Batch {
  readonly source: Source
  readonly rows: readonly Stored[]
}
type Stored = Row & { readonly id: string }

/** Counts the rows of the given kinds, and returns the moment of the count. */
export async function countRows(
  db: Database,
  organizationId: string,
  names: readonly PolicyKind[],
): Promise<{ moment: Moment; size: Partial<Record<PolicyKind, number>> }> {
  const count = ({ dead, from }: Source) =>
    `(SELECT count(*)::integer FROM ${from} WHERE t.organization_id = $1 AND NOT ${dead})`
  // The engine knows kinds that nothing stores yet.
  const columns = names.map(name => `${sources[name].map(count).join(' + ') || '0'} AS ${name}`)
  const [row] = await db.query<Moment & Record<PolicyKind, number>>(
    `SELECT ${presentMoment}, ${columns.join(', ')}`,
    [organizationId],
  )
  if (!row) throw new Error('the database tells no moment')
  return { moment: momentOf(row), size: Object.fromEntries(names.map(name => [name, row[name]])) }
}

/** Yields all rows of a source that are not deleted, in pages by id. */
export async function* selectLiving(
  db: Database,
  organizationId: string,
  source: Source,
): AsyncGenerator<Batch> {
  const { columns, dead, from, page } = source
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Stored[] = await db.query<Stored>(
      `SELECT ${columns} FROM ${from} WHERE t.organization_id = $1 AND NOT ${dead} AND t.id > $2 ORDER BY t.id LIMIT ${page}`,
      [organizationId, after],
    )
    yield { source, rows }
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
}

/** Yields the rows of a source whose column is one of `ids`, including deleted rows. */
export async function* selectNamed(
  db: Database,
  organizationId: string,
  source: Source,
  column: string,
  ids: readonly string[],
): AsyncGenerator<Batch> {
  const { columns, from, page } = source
  for (let start = 0; start < ids.length; start += page) {
    const rows = await db.query<Stored>(
      `SELECT ${columns} FROM ${from} WHERE t.organization_id = $1 AND t.${column} = ANY($2::text[])`,
      [organizationId, ids.slice(start, start + page)],
    )
    yield { source, rows }
  }
}
