import { type Condition, type ListQuery, resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import { eventsByPlace } from './bounds.ts'
import { sortExpression } from './columns.ts'
import { shapeOf, whereClause } from './list.ts'
import { type Bind, statementsByShape } from './statement.ts'
import { type Asked, conditionAt, type Reach, reachConditions } from './where.ts'

const { event } = resources
const statements = statementsByShape<Asked>()

/**
 * Returns how many events a list has, or `most` if there are as many or more. Reads at most `most` events of one index,
 * however many there are; undefined if that was not enough to tell how many of them the other filters leave.
 */
export async function countEvents(
  db: Database,
  reach: Reach,
  query: ListQuery,
  most: number,
): Promise<number | undefined> {
  const shape = `${shapeOf(event, reach, query, undefined)} ${most}`
  const { text, paramsOf } = statements(shape, bind => writeCount(bind, reach, query, most))
  const [row] = await db.query<{ seen: number; found: number }>(text, paramsOf({ reach, query }), asRead)
  const { seen, found } = row ?? { seen: 0, found: 0 }
  return seen < most || found === seen ? found : undefined
}

function writeCount(bind: Bind<Asked>, reach: Reach, query: ListQuery, most: number): string {
  const { bounds, ...anywhere } = reach
  const conditions = query.conditions.map((condition, index) => ({
    condition,
    text: conditionAt(bind, event, query, index, bounds),
  }))
  // Few events have the same id, many the same verb.
  const indexed = bounds ? [] : conditions.filter(({ condition }) => isIndexed(condition))
  const looked = indexed.find(({ condition }) => condition.filter.path.endsWith('_id')) ?? indexed[0]
  const isRead = (one: (typeof conditions)[number]) =>
    one === looked || one.condition.filter.path === 'created_at'
  const where = [
    ...reachConditions(bind, event, anywhere),
    ...conditions.filter(isRead).map(({ text }) => text),
  ]
  const others = conditions.filter(one => !isRead(one)).map(({ text }) => text)
  // In the order of the indexes, so that one of them is read, and not everything.
  const order = `ORDER BY ${sortExpression(event, 'created_at')} DESC, t.id DESC`
  const page = (extra: readonly string[]) =>
    `SELECT t.* FROM events t${whereClause([...where, ...extra])} ${order} LIMIT ${most}`
  const read = bounds ? `SELECT t.* FROM (${eventsByPlace(bind, page)}) t LIMIT ${most}` : page([])
  const matches = others.length === 0 ? 'true' : others.join(' AND ')
  return `SELECT count(*)::integer AS seen, count(*) FILTER (WHERE ${matches})::integer AS found FROM (${read}) t`
}

/** Whether an index of events begins with what the filter asks for. */
function isIndexed({ filter: { operator, each }, value }: Condition): boolean {
  return operator === 'equal' && each === undefined && value !== null
}
