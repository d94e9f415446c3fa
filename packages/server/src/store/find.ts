import type { HiddenOf, Resource, StoredOf } from '@gatehouse-access/api'
import { fromMilliseconds, idMilliseconds } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import { boundShape, hideBeyond } from './bounds.ts'
import { finishRow, selectList } from './columns.ts'
import { type Bind, statementsByShape } from './statement.ts'
import { type Reach, reachConditions, whereClause } from './where.ts'

interface FindOptions<Hidden> {
  /** Locks the row until the transaction ends: true to change it, 'share' to keep others from changing it. */
  readonly lock?: boolean | 'share'
  /** Columns that are stored but never returned to clients. */
  readonly hidden?: readonly Hidden[]
}

interface Sought {
  readonly reach: Reach
  readonly id: string
}

const statements = statementsByShape<Sought>()

/** Returns one object, even if deleted, or undefined if the reach has no object with that id. */
export async function findObject<R extends Resource, Hidden extends HiddenOf<R> & string = never>(
  db: Database,
  resource: R,
  reach: Reach,
  id: string,
  { lock = false, hidden = [] }: FindOptions<Hidden> = {},
): Promise<StoredOf<R, Hidden> | undefined> {
  const is_plain = !lock && !reach.parent && !reach.bounds && hidden.length === 0
  const shape = is_plain
    ? resource.kind
    : `${resource.kind} ${reach.parent?.field} ${lock} ${hidden}${boundShape(reach)}`
  const { text, paramsOf } = statements(shape, bind => {
    const where = [
      ...reachConditions(bind, resource, reach),
      `t.id = ${bind(sought => sought.id)}`,
      ...partition(bind, resource),
    ]
    return `SELECT ${columns(resource, hidden)} FROM ${resource.table} t${whereClause(where)}${lockClause(lock)}`
  })
  const [row] = await db.query<StoredOf<R, Hidden>>(text, paramsOf({ reach, id }), asRead)
  return row && hideBeyond(resource, reach.bounds, finishRow(resource)(row))
}

function columns(resource: Resource, hidden: readonly string[]): string {
  return [selectList(resource), ...hidden.map(name => `t.${name}`)].join(', ')
}

function lockClause(lock: boolean | 'share'): string {
  return lock ? ` FOR ${lock === 'share' ? 'SHARE' : 'UPDATE'}` : ''
}

/** An event id contains the millisecond of its recording, which identifies the one partition to read. */
function partition(bind: Bind<Sought>, resource: Resource): string[] {
  if (resource.kind !== 'event') return []
  return [
    `t.recorded_at >= ${bind(({ id }) => fromMilliseconds(idMilliseconds(id)))}`,
    `t.recorded_at < ${bind(({ id }) => fromMilliseconds(idMilliseconds(id) + 1))}`,
  ]
}

const livingStatements = statementsByShape<{ reach: Reach }>()

/** Returns all objects of a reach that are not deleted, newest first. */
export async function findLiving<R extends Resource, Hidden extends HiddenOf<R> & string = never>(
  db: Database,
  resource: R,
  reach: Reach,
  hidden: readonly Hidden[] = [],
): Promise<StoredOf<R, Hidden>[]> {
  const shape = `${resource.kind} ${reach.parent?.field} ${hidden}${boundShape(reach)}`
  const { text, paramsOf } = livingStatements(shape, bind => {
    const where = whereClause([...reachConditions(bind, resource, reach), 'NOT t.is_deleted'])
    return `SELECT ${columns(resource, hidden)} FROM ${resource.table} t${where} ORDER BY t.created_at DESC, t.id DESC`
  })
  const rows = await db.query<StoredOf<R, Hidden>>(text, paramsOf({ reach }), asRead)
  return rows.map(finishRow(resource))
}

const lockingStatements = statementsByShape<{ reach: Reach; ids: readonly string[] }>()

/**
 * Returns the objects with these ids, even if deleted, and locks them until the transaction ends, in the order
 * of their ids: two transactions that lock some of the same never wait for each other in a circle.
 */
export async function lockObjects<R extends Resource>(
  db: Database,
  resource: R,
  reach: Reach,
  ids: readonly string[],
): Promise<StoredOf<R>[]> {
  const { text, paramsOf } = lockingStatements(
    `${resource.kind} ${reach.parent?.field}${boundShape(reach)}`,
    bind => {
      const where = [
        ...reachConditions(bind, resource, reach),
        `t.id = ANY(${bind(sought => sought.ids)}::text[])`,
      ]
      return `SELECT ${selectList(resource)} FROM ${resource.table} t${whereClause(where)} ORDER BY t.id${lockClause(true)}`
    },
  )
  const rows = await db.query<StoredOf<R>>(text, paramsOf({ reach, ids }), asRead)
  return rows.map(finishRow(resource))
}
