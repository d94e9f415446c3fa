import {
  type Expand,
  type ExpandTree,
  RequestError,
  type Resource,
  resourceOf,
  valueAt,
} from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database, Row } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import { allOf } from '../flow/all-of.ts'
import { present } from '../flow/present.ts'
import { inSlices } from '../flow/slices.ts'
import { boundShape, hideBeyond } from './bounds.ts'
import { finishRow, selectList } from './columns.ts'
import { type Bind, statementsByShape } from './statement.ts'
import { type Telling, tellRows } from './tell.ts'
import { type Reach, reachConditions, whereClause } from './where.ts'

const maxExpanded = 10_000
/**
 * Limit on the characters of lists inside expanded objects, such as the rules of groups: an object may hold
 * hundreds of entries.
 */
const maxListed = 16 * 1024 * 1024

export interface ExpandLimits {
  readonly objects: number
  readonly listed: number
  /** Rows of one kind whose objects hold lists. They are large, so fewer are read before they are counted. */
  readonly rows_with_lists: number
}

const limitsOfAnswer: ExpandLimits = { objects: maxExpanded, listed: maxListed, rows_with_lists: maxExpanded }

interface Budget {
  objects: number
  listed: number
  readonly limits: ExpandLimits
}

/** A row and how often it appears in the response: an object is rendered once for each of its parents. */
interface Placed {
  readonly row: Row
  times: number
}

/** The expanded objects in a response, counted as often as they appear, and the characters of their lists. */
export interface Expanded {
  readonly objects: number
  readonly listed: number
}

/** Where embedded objects are read, and what is added to them. */
export interface Reading {
  readonly db: Database
  readonly context: Telling
}

/**
 * Embeds the objects of the tree into the rows, with one query per level and kind regardless of page size.
 * The size of the response is counted before anything is rendered.
 */
export async function expandObjects(
  { db, context }: Reading,
  resource: Resource,
  reach: Reach,
  rows: readonly Row[],
  tree: ExpandTree,
  limits = limitsOfAnswer,
): Promise<Expanded> {
  const budget = { objects: limits.objects, listed: limits.listed, limits }
  const placed = rows.map(row => ({ row, times: 1 }))
  await expandLevel(
    { db, context, reach: { ...reach, parent: undefined }, budget },
    resource,
    placed,
    tree,
    '',
  )
  return { objects: limits.objects - budget.objects, listed: limits.listed - budget.listed }
}

interface Expansion extends Reading {
  readonly reach: Reach
  readonly budget: Budget
}

/** Expands siblings concurrently. */
async function expandLevel(
  expansion: Expansion,
  resource: Resource,
  rows: readonly Placed[],
  tree: ExpandTree,
  prefix: string,
): Promise<void> {
  const branches = Object.entries(tree).map(async ([name, below]) => {
    const expand = present(resource.expands[name], `expand ${name}`)
    const path = prefix + name
    const children = await embed(expansion, rows, name, expand, path)
    if (children.length > 0)
      await expandLevel(expansion, resourceOf(expand.kind), children, below, `${path}.`)
  })
  await allOf(branches)
}

async function embed(
  { db, context, reach, budget }: Expansion,
  rows: readonly Placed[],
  name: string,
  expand: Expand,
  path: string,
): Promise<readonly Placed[]> {
  const owner = reach.organization_id
  const places = await inSlices(owner, placesOf(rows, name, expand))
  const keys = keysOf(places)
  const most = mostRows(expand, budget.limits)
  const found = keys.length === 0 ? [] : await load({ db, context }, expand, { reach, keys, limit: most + 1 })
  if (found.length > most) throw tooMany(path)
  const children = found.map(row => ({ row, times: 0 }))
  await inSlices(owner, placeAll(places, children, expand, budget))
  if (budget.objects < 0 || budget.listed < 0) throw tooMany(path)
  return children
}

function mostRows({ kind }: Expand, { objects, rows_with_lists }: ExpandLimits): number {
  return listsOf(resourceOf(kind)).length > 0 ? rows_with_lists : objects
}

/** Ends early when a limit is exceeded. */
function* placeAll(
  places: readonly Place[],
  children: readonly Placed[],
  expand: Expand,
  budget: Budget,
): Steps<void> {
  const byKey = byKeyOf(children, columnOf(expand))
  for (const [index, place] of places.entries()) {
    budget.objects -= putInto(place, expand.how, byKey, budget.objects)
    if (index % placesAStep === placesAStep - 1) yield
  }
  const resource = resourceOf(expand.kind)
  if (listsOf(resource).length === 0) return
  for (const child of children) {
    if (budget.objects < 0 || budget.listed < 0) return
    budget.listed -= listed(resource, child)
    yield
  }
}

const placesAStep = 64

type ByKey = Map<string, Placed[]>

function byKeyOf(children: readonly Placed[], field: string): ByKey {
  const byKey: ByKey = new Map()
  for (const child of children) {
    const key = child.row[field]
    if (typeof key !== 'string') continue
    const same = byKey.get(key)
    if (same) same.push(child)
    else byKey.set(key, [child])
  }
  return byKey
}

function keysOf(places: readonly Place[]): string[] {
  const keys = new Set<string>()
  for (const { ids } of places) for (const id of ids) keys.add(id)
  return [...keys]
}

const none: readonly Placed[] = []

/** Returns how many objects this adds to the response. Adds none if the limit is already exceeded. */
function putInto({ holder, key, ids, times }: Place, how: Expand['how'], byKey: ByKey, left: number): number {
  if (left < 0) return 0
  const objects: Row[] = []
  for (const id of ids)
    for (const child of byKey.get(id) ?? none) {
      child.times += times
      objects.push(child.row)
    }
  if (how === 'all' || how === 'many') holder[key] = how === 'all' ? objects.sort(newestFirst) : objects
  else if (objects[0]) holder[key] = objects[0]
  return objects.length * times
}

/** Returns the characters of the lists of an object, counted as often as it appears in the response. */
function listed(resource: Resource, { row, times }: Placed): number {
  let length = 0
  for (const name of listsOf(resource)) length += lengthOf(row[name])
  return length * times
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) && list.length > 0 ? JSON.stringify(list).length : 0
}

/** The fields that hold lists. Most kinds have none. */
const listNames = new WeakMap<Resource, readonly string[]>()

export function listsOf(resource: Resource): readonly string[] {
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

function* placesOf(rows: readonly Placed[], name: string, expand: Expand): Steps<Place[]> {
  const { field, inside } = expand
  const key = inside ? name.slice(inside.length + 1) : name
  const places: Place[] = []
  for (const [index, { row, times }] of rows.entries()) {
    const holders = inside ? entriesOf(row, inside) : [row]
    for (const holder of holders) {
      // An expand must not replace what a grant reveals.
      if (key in holder) continue
      const value = refersBack(expand) ? row.id : valueAt(holder, field)
      places.push({ holder, key, ids: idsIn(value), times })
    }
    if (inside || index % placesAStep === placesAStep - 1) yield
  }
  return places
}

/** Returns the entries of a field that holds a list of objects. */
function entriesOf(row: Row, name: string): readonly Row[] {
  const entries = row[name]
  return Array.isArray(entries) ? entries : []
}

/** Returns the ids in a field that holds one id, a list of ids, or none. */
function idsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value : []
}

interface Loaded {
  readonly reach: Reach
  readonly keys: readonly string[]
  readonly limit: number
}

const statements = statementsByShape<Loaded>()

async function load({ db, context }: Reading, expand: Expand, loaded: Loaded): Promise<Row[]> {
  const resource = resourceOf(expand.kind)
  const shape = `${expand.kind} ${expand.how} ${columnOf(expand)}${boundShape(loaded.reach)}`
  const { text, paramsOf } = statements(shape, bind => writeLoad(bind, resource, expand, loaded.reach))
  const found = await db.query<Row>(text, paramsOf(loaded), asRead)
  const { bounds } = loaded.reach
  const finished = found.map(finishRow(resource))
  const rows = bounds ? finished.map(row => hideBeyond(resource, bounds, row)) : finished
  await tellRows({ db, context }, resource, rows)
  return rows
}

/** Whether the embedded objects name the one that they are embedded into. */
function refersBack({ how }: Expand): boolean {
  return how === 'many' || how === 'last'
}

function columnOf(expand: Expand): string {
  return refersBack(expand) ? expand.field : 'id'
}

/**
 * To-many expands contain only objects that are not deleted, newest first. A reference to a single object
 * also shows a deleted object. Of those that refer back, the last one is deleted only if all are.
 */
function writeLoad(bind: Bind<Loaded>, resource: Resource, expand: Expand, reach: Reach): string {
  const { how } = expand
  const column = columnOf(expand)
  const where = [
    ...reachConditions(bind, resource, reach),
    `t.${column} = ANY(${bind(({ keys }) => keys, 'text[]')})`,
  ]
  if (how === 'all' || how === 'many') where.push('NOT t.is_deleted')
  // Named for the index, which begins with it.
  if (how === 'last') where.push('t.is_deleted IN (false, true)')
  const newest = 't.created_at DESC, t.id DESC'
  const order = {
    one: '',
    all: '',
    many: ` ORDER BY ${newest}`,
    last: ` ORDER BY t.${column}, t.is_deleted, ${newest}`,
  }
  const limit = ` LIMIT ${bind(({ limit }) => limit)}`
  const distinct = how === 'last' ? `DISTINCT ON (t.${column}) ` : ''
  return `SELECT ${distinct}${selectList(resource)} FROM ${resource.table} t${whereClause(where)}${order[how]}${limit}`
}

function newestFirst(a: Row, b: Row): number {
  const [x, y] = [`${a.created_at}${a.id}`, `${b.created_at}${b.id}`]
  return x < y ? 1 : x > y ? -1 : 0
}

function tooMany(name: string): RequestError {
  return new RequestError(
    'invalid_request',
    `expand '${name}' would put more than ${maxExpanded} objects, or more than 16 MiB of rules and other lists, into one response`,
    { args: { field: 'expand' } },
  )
}
