import {
  placeResources,
  type Resource,
  type SliceKind,
  type SliceValues,
  sliceColumns,
  sliceValues,
} from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import type { Database, Row } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'
import { readTags, rereadTags, type TagsOfGadgets } from './tags.ts'

type ModeKind = 'unlock_rules' | 'overrides' | 'emergencies' | 'emergency_plans'
type PlaceKind = Exclude<SliceKind, 'members' | 'zones' | ModeKind>

/**
 * An organization's policy without its members, as devices receive it. It is small, and held in memory while
 * a device of the organization is connected here. Groups have all rules here, slices only the relevant ones.
 */
export type Places = { readonly [Kind in PlaceKind]: Map<string, SliceValues<Kind>> } & {
  /** Devices are not sent them: rules that name a tag are sent for the gadgets that have it. */
  readonly tags: TagsOfGadgets
}

export interface ChangedPlace {
  readonly type: string
  readonly id: string
}

type Place = SliceValues<PlaceKind>
type Stored = Row & { readonly id: string }

interface Source {
  readonly resource: Resource
  readonly table: string
  readonly columns: string
  /** List columns, read as text and parsed in steps. */
  readonly lists: readonly string[]
  mapOf(places: Places): Map<string, Place>
}

/** By event type. */
const sources: ReadonlyMap<string, Source> = new Map(
  [...placeResources].map(([kind, resource]) => [kind, sourceOf(resource)]),
)

function sourceOf(resource: Resource): Source {
  const columns = sliceColumns(resource)
  const lists = columns.filter(name => resource.fields[name]?.type.schema.type === 'array')
  const selected = columns.map(name => (lists.includes(name) ? `${name}::text AS ${name}` : name))
  const name = resource.policy?.rows as PlaceKind
  return {
    resource,
    table: resource.table,
    columns: ['id', ...selected].join(', '),
    lists,
    mapOf: places => places[name] as Map<string, Place>,
  }
}

/** Rows per query. */
const page = 200

export async function loadPlaces(db: Database, organizationId: string): Promise<Places> {
  const places: Places = {
    sites: new Map(),
    devices: new Map(),
    gadgets: new Map(),
    schedules: new Map(),
    groups: new Map(),
    triggers: new Map(),
    tags: new Map(),
  }
  for (const source of sources.values()) await loadAll(db, organizationId, source, source.mapOf(places))
  await readTags(db, organizationId, places.tags)
  return places
}

async function loadAll(
  db: Database,
  organizationId: string,
  source: Source,
  into: Map<string, Place>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Stored[] = await db.query<Stored>(
      `SELECT ${source.columns} FROM ${source.table} WHERE organization_id = $1 AND NOT is_deleted AND id > $2
       ORDER BY id LIMIT ${page}`,
      [organizationId, after],
    )
    for (const [id, value] of await inSlices(organizationId, render(source, rows))) into.set(id, value)
    after = rows.length < page ? undefined : rows.at(-1)?.id
  }
}

/** Rereads some objects. Returns true if any of them changed, or the tags of a gadget. */
export async function rereadPlaces(
  db: Database,
  organizationId: string,
  places: Places,
  changed: readonly ChangedPlace[],
): Promise<boolean> {
  let differs = false
  for (const [type, group] of Map.groupBy(changed, ({ type }) => type)) {
    const source = sources.get(type)
    const all = source ? [...new Set(group.map(({ id }) => id))] : []
    for (let start = 0; source && start < all.length; start += page) {
      const ids = all.slice(start, start + page)
      const rows = await db.query<Stored>(
        `SELECT ${source.columns} FROM ${source.table} WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted`,
        [organizationId, ids],
      )
      const living = await inSlices(organizationId, render(source, rows))
      for (const id of ids) differs = setPlace(source.mapOf(places), id, living.get(id)) || differs
    }
  }
  const named = (kind: string) => changed.filter(({ type }) => type === kind).map(({ id }) => id)
  const tagged = { gadgets: named('gadget'), tags: new Set(named('tag')) }
  return (await rereadTags(db, organizationId, places.tags, tagged)) || differs
}

function* render({ lists, resource }: Source, rows: readonly Stored[]): Steps<Map<string, Place>> {
  const rendered = new Map<string, Place>()
  for (const row of rows) {
    const parsed = lists.map(name => [name, JSON.parse(String(row[name]))])
    rendered.set(row.id, sliceValues(resource, { ...row, ...Object.fromEntries(parsed) }))
    yield
  }
  return rendered
}

function setPlace(map: Map<string, Place>, id: string, value: Place | undefined): boolean {
  const before = map.get(id)
  if (before === value || (before && value && JSON.stringify(before) === JSON.stringify(value))) return false
  if (value) map.set(id, value)
  else map.delete(id)
  return true
}
