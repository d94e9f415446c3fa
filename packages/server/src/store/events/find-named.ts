import type { ListQuery } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import { present } from '../../flow/present.ts'
import { boundShape } from '../bounds.ts'
import { statementsByShape } from '../statement.ts'
import { type Asked, childrenOf, filterShape, type Reach } from '../where.ts'

/** So many can be looked up one by one. */
export const mostNamed = 100
/** Who comes back often has many associations with a group. */
const mostRows = 10 * mostNamed

const statements = statementsByShape<Asked>()

/** Returns whom a filter of events is about, such as the members of a group. Undefined if they are more than `mostNamed`. */
export async function findNamed(
  db: Database,
  reach: Reach,
  query: ListQuery,
  index: number,
): Promise<readonly string[] | undefined> {
  const { text, params } = namedStatement(reach, query, index)
  const rows = await db.query<{ id: string }>(text, params, asRead)
  const ids = new Set(rows.map(({ id }) => id))
  return rows.length > mostRows || ids.size > mostNamed ? undefined : [...ids]
}

export function namedStatement(
  reach: Reach,
  query: ListQuery,
  index: number,
): { text: string; params: unknown[] } {
  const read = ({ query: { conditions } }: Pick<Asked, 'query'>) => present(conditions[index], 'a condition')
  const condition = read({ query })
  const through = present(condition.filter.through, 'what a filter goes through')
  const shape = `${filterShape(condition)} ${index}${boundShape(reach)}`
  const { text, paramsOf } = statements(shape, bind => {
    let order = ''
    // PostgreSQL may take a small group for a large one, and look for its members everywhere. Only one index has this order.
    const compare = (column: string, value: string) => {
      order = ` ORDER BY ${column}, c.created_at, c.id`
      return `${column} BETWEEN ${value} AND ${value}`
    }
    const isBound = reach.bounds !== undefined
    const { id, from } = childrenOf(bind, through, { read, isBound }, compare)
    return `SELECT ${id} AS id ${from}${order} LIMIT ${mostRows + 1}`
  })
  return { text, params: paramsOf({ reach, query }) }
}
