import { type Condition, type ListQuery, resources } from '@gatehouse-access/api'
import { boundConditions, eventsByPlace } from '../bounds.ts'
import type { Bind } from '../statement.ts'
import { type Asked, conditionAt, equalExpression, type Reach, reachConditions } from '../where.ts'
import { mostNamed } from './find-named.ts'

const { event } = resources

/** How events are read: those of each whom the condition at `named` is about, those at each place of the caller, or all. */
export type Way = { readonly named: number } | 'places' | 'all'

/** The way for a filter by group or tag. The indexes by whom and where are in the order of `created_at`. */
export function wayOf({ bounds }: Reach, { sort, conditions }: ListQuery): Way {
  if (sort.field !== 'created_at') return 'all'
  const named = conditions.findIndex(({ filter, found }) => filter.through && found)
  if (named >= 0) return { named }
  return bounds && bounds.gadget_ids.size <= mostNamed ? 'places' : 'all'
}

/** Part of the shape of a statement, see `statementsByShape`. */
export function wayShape(way: Way): string {
  return typeof way === 'string' ? way : `named ${way.named}`
}

/** The conditions that are served by an index, in the order of which events are read. */
export function indexedConditions(bind: Bind<Asked>, reach: Reach, query: ListQuery, way: Way): string[] {
  const { bounds, ...anywhere } = reach
  const texts = textsOf(bind, reach, query, one => isRead(query, way, one))
  return [...reachConditions(bind, event, anywhere), ...texts]
}

/** The other conditions, which are compared with what was read. */
export function otherConditions(bind: Bind<Asked>, reach: Reach, query: ListQuery, way: Way): string[] {
  const isBeyond = reach.bounds && way !== 'places'
  const texts = textsOf(bind, reach, query, one => isOther(query, way, one))
  return [...(isBeyond ? boundConditions(bind, event) : []), ...texts]
}

/** Whether events are read that do not belong to the list. */
export function readsOthers({ bounds }: Reach, query: ListQuery, way: Way): boolean {
  return (bounds && way !== 'places') || query.conditions.some(one => isOther(query, way, one))
}

function isRead({ sort, conditions }: ListQuery, way: Way, one: Condition): boolean {
  const isLooked = way === 'all' && sort.field === 'created_at' && one === mostSelective(conditions)
  return isLooked || one.filter.path === sort.field
}

function isOther(query: ListQuery, way: Way, one: Condition): boolean {
  const named = typeof way === 'string' ? undefined : query.conditions[way.named]
  return one !== named && !isRead(query, way, one)
}

function textsOf(
  bind: Bind<Asked>,
  { bounds }: Reach,
  query: ListQuery,
  isWanted: (one: Condition) => boolean,
): string[] {
  return query.conditions.flatMap((one, index) =>
    isWanted(one) ? [conditionAt(bind, event, query, index, bounds)] : [],
  )
}

/** Few events have the same id, many the same verb. */
function mostSelective(conditions: readonly Condition[]): Condition | undefined {
  const indexed = conditions.filter(isIndexed)
  return indexed.find(({ filter }) => filter.path.endsWith('_id')) ?? indexed[0]
}

/** Whether an index of events begins with what the filter asks for. */
function isIndexed({ filter: { operator, each, through }, value }: Condition): boolean {
  return operator === 'equal' && each === undefined && through === undefined && value !== null
}

/** A page for each, which `page` writes. */
export function eventsBy(
  bind: Bind<Asked>,
  { conditions }: ListQuery,
  way: Way,
  page: (extra: readonly string[]) => string,
): string {
  if (way === 'all') return page([])
  if (way === 'places') return eventsByPlace(bind, page)
  const { named } = way
  const ids = bind(({ query }) => query.conditions[named]?.found, 'text[]')
  const condition = `${equalExpression(conditions[named]?.filter.path ?? '')} = k.id`
  return `SELECT t.* FROM unnest(${ids}) AS k(id) CROSS JOIN LATERAL (${page([condition])}) t`
}
