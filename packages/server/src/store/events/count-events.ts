import { type ListQuery, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import { orderOf } from '../after-position.ts'
import { shapeOf } from '../list.ts'
import { type Bind, statementsByShape } from '../statement.ts'
import { type Asked, type Reach, whereClause } from '../where.ts'
import { eventsBy, indexedConditions, otherConditions, type Way, wayOf, wayShape } from './event-ways.ts'
import { isSought } from './sought-events.ts'

const { event } = resources
const statements = statementsByShape<Asked>()
/** The order of the indexes by what filters ask for. */
const sort = { field: 'created_at', direction: 'desc' } as const

/**
 * Returns how many events a list has, or `most` if there are as many or more. Reads at most `most` events of one index,
 * however many there are; undefined if that was not enough to tell how many of them the other filters leave.
 */
export async function countEvents(
  db: Database,
  reach: Reach,
  asked: ListQuery,
  most: number,
): Promise<number | undefined> {
  const query = { ...asked, sort }
  const way = isSought(event, query) ? wayOf(reach, query) : reach.bounds ? 'places' : 'all'
  const shape = `${shapeOf(event, reach, query, undefined)} ${wayShape(way)} ${most}`
  const { text, paramsOf } = statements(shape, bind => writeCount(bind, reach, query, way, most))
  const [row] = await db.query<{ seen: number; found: number }>(text, paramsOf({ reach, query }), asRead)
  const { seen, found } = row ?? { seen: 0, found: 0 }
  return seen < most || found === seen ? found : undefined
}

function writeCount(bind: Bind<Asked>, reach: Reach, query: ListQuery, way: Way, most: number): string {
  const read = indexedConditions(bind, reach, query, way)
  const others = otherConditions(bind, reach, query, way)
  const page = (extra: readonly string[]) =>
    `SELECT t.* FROM events t${whereClause([...read, ...extra])} ${orderOf(event, query)} LIMIT ${most}`
  const matches = others.length === 0 ? 'true' : others.join(' AND ')
  return `SELECT count(*)::integer AS seen, count(*) FILTER (WHERE ${matches})::integer AS found
    FROM (SELECT t.* FROM (${eventsBy(bind, query, way, page)}) t LIMIT ${most}) t`
}
