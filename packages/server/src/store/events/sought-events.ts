import { type ListQuery, type Resource, resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import { type AskedAfter, afterPosition, orderOf } from '../after-position.ts'
import { selectList } from '../columns.ts'
import type { Position } from '../cursor.ts'
import { type Bind, statementsByShape } from '../statement.ts'
import { type Reach, whereClause } from '../where.ts'
import {
  eventsBy,
  indexedConditions,
  otherConditions,
  readsOthers,
  type Way,
  wayOf,
  wayShape,
} from './event-ways.ts'
import { mostNamed } from './find-named.ts'

/*
 * Events of the members of a group, or at the doors with a tag. If these are few, a page of the events of each is
 * read by their index, and the pages are merged. If they are many, events are read in the order of the list, and
 * those of others are left out. So that no page reads without bound, its end is found first: the place that is
 * `mostSought` events away. The page reaches that far at most, and its cursor goes on from there.
 */

const { event } = resources
const mostSought = 10_000

export function isSought({ kind }: Pick<Resource, 'kind'>, { conditions }: ListQuery): boolean {
  return kind === 'event' && conditions.some(({ filter }) => filter.through)
}

interface AskedUntil extends AskedAfter {
  readonly end: Position | undefined
}

/** How many events of each may be read: one of few numbers, because it is a literal in the text. */
function shareOf({ bounds }: Reach, { conditions }: ListQuery, way: Way): number {
  if (way === 'all') return mostSought
  const count = way === 'places' ? bounds?.gadget_ids.size : conditions[way.named]?.found?.length
  return mostSought / ((count ?? 0) > 10 ? mostNamed : 10)
}

const statements = statementsByShape<AskedUntil>()

export function soughtStatement(
  reach: Reach,
  query: ListQuery,
  shape: string,
  position: Position | undefined,
  end: Position | undefined,
): { text: string; params: unknown[] } {
  const way = wayOf(reach, query)
  const name = `${shape} ${wayShape(way)} ${end !== undefined}`
  const { text, paramsOf } = statements(name, bind => writePage(bind, reach, query, way, position, end))
  return { text, params: paramsOf({ reach, query, position, end }) }
}

function writePage(
  bind: Bind<AskedUntil>,
  reach: Reach,
  query: ListQuery,
  way: Way,
  position: Position | undefined,
  end: Position | undefined,
): string {
  const within = [
    ...indexedConditions(bind, reach, query, way),
    ...after(bind, query, position),
    ...(end ? [until(bind, query)] : []),
  ]
  const others = otherConditions(bind, reach, query, way)
  const order = orderOf(event, query)
  const limit = `${order} LIMIT ${query.limit + 1}`
  const page = (extra: readonly string[]) => {
    const rows = `SELECT t.* FROM events t${whereClause([...within, ...extra])}`
    // `OFFSET 0` keeps PostgreSQL from going by an index of the others, along which the end may be far away.
    return others.length === 0
      ? `${rows} ${limit}`
      : `SELECT t.* FROM (${rows} ${order} OFFSET 0) t${whereClause(others)} ${limit}`
  }
  return `SELECT ${selectList(event)} FROM (${eventsBy(bind, query, way, page)}) t ${limit}`
}

function after(bind: Bind<AskedUntil>, query: ListQuery, position: Position | undefined): string[] {
  return position ? [afterPosition(bind, event, query, position)] : []
}

function until(bind: Bind<AskedUntil>, { sort: { field, direction } }: ListQuery): string {
  const end = `(${bind(({ end }) => end?.value, 'timestamptz')}, ${bind(({ end }) => end?.id)})`
  return `(t.${field}, t.id) ${direction === 'desc' ? '>=' : '<='} ${end}`
}

const ends = statementsByShape<AskedUntil>()

/** Returns where a page has to end. Undefined if there are not so many events, or all that are read belong to the list. */
export async function findEnd(
  db: Database,
  reach: Reach,
  query: ListQuery,
  shape: string,
  position: Position | undefined,
): Promise<Position | undefined> {
  if (!readsOthers(reach, query, wayOf(reach, query))) return undefined
  const { text, params } = endStatement(reach, query, shape, position)
  const [end] = await db.query<{ value: string; id: string }>(text, params, asRead)
  return end
}

export function endStatement(
  reach: Reach,
  query: ListQuery,
  shape: string,
  position: Position | undefined,
): { text: string; params: unknown[] } {
  const way = wayOf(reach, query)
  const share = shareOf(reach, query, way)
  const { text, paramsOf } = ends(`${shape} ${wayShape(way)} ${share}`, bind => {
    const within = [...indexedConditions(bind, reach, query, way), ...after(bind, query, position)]
    const order = orderOf(event, query)
    const page = (extra: readonly string[]) =>
      `SELECT t.${query.sort.field}, t.id FROM events t${whereClause([...within, ...extra])} ${order} OFFSET ${share - 1} LIMIT 1`
    return `SELECT t.${query.sort.field} AS value, t.id FROM (${eventsBy(bind, query, way, page)}) t ${order} LIMIT 1`
  })
  return { text, params: paramsOf({ reach, query, position, end: undefined }) }
}
