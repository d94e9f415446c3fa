import type { Resource } from '@gatehouse/api'
import { fromMilliseconds, idMilliseconds } from '@gatehouse/core'
import { finishRow, selectList } from './columns.ts'
import type { Database, Row } from './db.ts'
import { whereClause } from './list.ts'
import { Statement } from './statement.ts'
import { type Reach, reachConditions } from './where.ts'

interface FindOptions {
  /** Holds the row until the transaction ends: for a change of it, or so that nobody changes it. */
  readonly lock?: boolean | 'share'
  /** Columns that are stored but never answered. */
  readonly hidden?: readonly string[]
}

/** One object, also a deleted one; undefined when this reach has none with that id. */
export async function findObject(
  db: Database,
  resource: Resource,
  reach: Reach,
  id: string,
  options: FindOptions = {},
): Promise<Row | undefined> {
  const statement = new Statement()
  const where = [
    ...reachConditions(statement, resource, reach),
    `t.id = ${statement.bind(id)}`,
    ...partition(statement, resource, id),
  ]
  const columns = [selectList(resource), ...(options.hidden ?? []).map(name => `t.${name}`)].join(', ')
  const lock = options.lock ? ` FOR ${options.lock === 'share' ? 'SHARE' : 'UPDATE'}` : ''
  const [row] = await db.query(
    `SELECT ${columns} FROM ${resource.table} t${whereClause(where)}${lock}`,
    statement.params,
  )
  return row && finishRow(resource)(row)
}

/** An event's id carries the millisecond of its recording, which tells the one partition to look in. */
function partition(statement: Statement, resource: Resource, id: string): string[] {
  if (resource.kind !== 'event') return []
  const from = idMilliseconds(id)
  return [
    `t.recorded_at >= ${statement.bind(fromMilliseconds(from))}`,
    `t.recorded_at < ${statement.bind(fromMilliseconds(from + 1))}`,
  ]
}

/** All living objects of a reach, newest first. */
export async function findLiving(
  db: Database,
  resource: Resource,
  reach: Reach,
  hidden: readonly string[] = [],
): Promise<Row[]> {
  const statement = new Statement()
  const where = [...reachConditions(statement, resource, reach), 'NOT t.is_deleted']
  const columns = [selectList(resource), ...hidden.map(name => `t.${name}`)].join(', ')
  const rows = await db.query(
    `SELECT ${columns} FROM ${resource.table} t${whereClause(where)} ORDER BY t.created_at DESC, t.id DESC`,
    statement.params,
  )
  return rows.map(finishRow(resource))
}
