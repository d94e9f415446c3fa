import {
  type Expand,
  type ExpandTree,
  RequestError,
  type Resource,
  resourceOf,
  valueAt,
} from '@gatehouse/api'
import { finishRow, selectList } from './columns.ts'
import type { Database, Row } from './db.ts'
import { whereClause } from './list.ts'
import { type Bind, statementsByShape } from './statement.ts'
import { type Reach, reachConditions } from './where.ts'

export const maxExpanded = 10_000
/** Characters of the lists inside them, such as the rules of groups: an object may hold hundreds of entries. */
export const maxListed = 16 * 1024 * 1024

interface Budget {
  objects: number
  listed: number
}

/** How often each row will stand in the answer: an object that several parents share is rendered once for each. */
type Occurrences = Map<Row, number>

/**
 * Embeds the objects of the tree into the rows: one query per level and kind, whatever the page size. What the answer
 * would hold is counted before anything is rendered.
 */
export async function expandObjects(
  db: Database,
  resource: Resource,
  reach: Reach,
  rows: readonly Row[],
  tree: ExpandTree,
): Promise<void> {
  const budget = { objects: maxExpanded, listed: maxListed }
  await expandLevel(
    db,
    resource,
    { ...reach, parent: undefined },
    new Map(rows.map(row => [row, 1])),
    tree,
    budget,
    '',
  )
}

async function expandLevel(
  db: Database,
  resource: Resource,
  reach: Reach,
  rows: Occurrences,
  tree: ExpandTree,
  budget: Budget,
  prefix: string,
): Promise<void> {
  for (const [name, below] of Object.entries(tree)) {
    const expand = resource.expands[name] as Expand
    const path = prefix + name
    const children = await embed(db, reach, rows, name, expand, budget, path)
    if (children.size > 0)
      await expandLevel(db, resourceOf(expand.kind), reach, children, below, budget, `${path}.`)
  }
}

async function embed(
  db: Database,
  reach: Reach,
  rows: Occurrences,
  name: string,
  expand: Expand,
  budget: Budget,
  path: string,
): Promise<Occurrences> {
  const places = placesOf(rows, name, expand)
  const keys = keysOf(places)
  const found = keys.length === 0 ? [] : await load(db, expand, { reach, keys, limit: budget.objects + 1 })
  const byKey = Map.groupBy(found, row => row[expand.how === 'many' ? expand.field : 'id'] as string)
  const weights = weigh(resourceOf(expand.kind), found)
  const children: Occurrences = new Map()
  for (const { holder, key, ids, times } of places) {
    const objects = objectsOf(byKey, ids)
    budget.objects -= objects.length * times
    for (const object of objects) budget.listed -= (weights?.get(object) ?? 0) * times
    if (budget.objects < 0 || budget.listed < 0) throw tooMany(path)
    for (const object of objects) children.set(object, (children.get(object) ?? 0) + times)
    if (expand.how !== 'one') holder[key] = expand.how === 'all' ? objects.sort(newestFirst) : objects
    else if (objects[0]) holder[key] = objects[0]
  }
  return children
}

function keysOf(places: readonly Place[]): string[] {
  const keys = new Set<string>()
  for (const { ids } of places) for (const id of ids) keys.add(id)
  return [...keys]
}

const none: readonly Row[] = []

function objectsOf(byKey: ReadonlyMap<string, Row[]>, ids: readonly string[]): Row[] {
  const objects: Row[] = []
  for (const id of ids) for (const object of byKey.get(id) ?? none) objects.push(object)
  return objects
}

/** How long the lists of each object are; undefined for kinds that have none, which are most. */
function weigh(resource: Resource, rows: readonly Row[]): Map<Row, number> | undefined {
  const lists = listsOf(resource)
  if (lists.length === 0) return undefined
  return new Map(
    rows.map(row => [row, lists.reduce((sum, name) => sum + JSON.stringify(row[name] ?? null).length, 0)]),
  )
}

const listNames = new WeakMap<Resource, readonly string[]>()

function listsOf(resource: Resource): readonly string[] {
  const known = listNames.get(resource)
  if (known) return known
  const names = Object.keys(resource.fields).filter(name => isList(resource, name))
  listNames.set(resource, names)
  return names
}

function isList({ fields }: Resource, name: string): boolean {
  const type = fields[name]?.type
  return type?.schema.type === 'array' && type.column === 'jsonb'
}

interface Place {
  readonly holder: Row
  readonly key: string
  readonly ids: readonly string[]
  readonly times: number
}

function placesOf(rows: Occurrences, name: string, { how, field, inside }: Expand): Place[] {
  const key = inside ? name.slice(inside.length + 1) : name
  const places: Place[] = []
  for (const [row, times] of rows) {
    const holders = inside ? (row[inside] as Row[]) : [row]
    for (const holder of holders) {
      // What a grant reveals is not replaced by what an expand may show.
      if (key in holder) continue
      const value = how === 'many' ? row.id : valueAt(holder, field)
      places.push({ holder, key, ids: idsIn(value), times })
    }
  }
  return places
}

/** The ids in a field that holds one, a list of them, or none. */
function idsIn(value: unknown): readonly string[] {
  if (value == null) return []
  return Array.isArray(value) ? value : [value as string]
}

interface Loaded {
  readonly reach: Reach
  readonly keys: readonly string[]
  readonly limit: number
}

const statements = statementsByShape<Loaded>()

async function load(db: Database, expand: Expand, loaded: Loaded): Promise<Row[]> {
  const resource = resourceOf(expand.kind)
  const shape = `${expand.kind} ${expand.how} ${expand.how === 'many' ? expand.field : 'id'}`
  const { text, paramsOf } = statements(shape, bind => writeLoad(bind, resource, expand, loaded.reach))
  const rows = await db.query(text, paramsOf(loaded))
  return rows.map(finishRow(resource))
}

/** To-many expands hold the living objects, newest first; a reference to one object shows it also when deleted. */
function writeLoad(bind: Bind<Loaded>, resource: Resource, { how, field }: Expand, reach: Reach): string {
  const column = how === 'many' ? field : 'id'
  const where = [
    ...reachConditions(bind, resource, reach),
    `t.${column} = ANY(${bind(({ keys }) => keys, 'text[]')})`,
  ]
  if (how !== 'one') where.push('NOT t.is_deleted')
  const order =
    how === 'many' ? ` ORDER BY t.created_at DESC, t.id DESC LIMIT ${bind(({ limit }) => limit)}` : ''
  return `SELECT ${selectList(resource)} FROM ${resource.table} t${whereClause(where)}${order}`
}

function newestFirst(a: Row, b: Row): number {
  const [x, y] = [`${a.created_at}${a.id}`, `${b.created_at}${b.id}`]
  return x < y ? 1 : x > y ? -1 : 0
}

function tooMany(name: string): RequestError {
  return new RequestError(
    'invalid_request',
    `expand '${name}' would put more than ${maxExpanded} objects, or more than 16 MiB of rules and other lists, into one answer`,
    { args: { field: 'expand' } },
  )
}
