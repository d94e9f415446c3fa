import { capabilitiesOf, type PermissionRule, type SliceRow } from '@gatehouse/api'
import type { InputRule, Steps } from '@gatehouse/core'
import type { Database, Row } from '../../database/db.ts'
import { inSlices } from '../../flow/slices.ts'

/** A group with all of its rules; slices hold those that concern their device. */
export interface GroupPlace {
  readonly id: string
  readonly permissions: readonly PermissionRule[]
}

/**
 * Everything of one organization's policy but its members: little, and held in memory while a device of it is connected
 * here, as devices receive it.
 */
export interface Places {
  readonly sites: Map<string, SliceRow<'sites'>>
  readonly devices: Map<string, SliceRow<'devices'>>
  readonly gadgets: Map<string, SliceRow<'gadgets'>>
  readonly schedules: Map<string, SliceRow<'schedules'>>
  readonly groups: Map<string, GroupPlace>
  readonly triggers: Map<string, SliceRow<'triggers'>>
}

export type PlaceKind = keyof Places

interface Source {
  readonly table: string
  readonly columns: string
  /** Columns that hold lists: read as text, and parsed in steps. */
  readonly lists?: readonly string[]
  readonly render: (row: Row) => { id: string }
}

const sources: { readonly [Kind in PlaceKind]: Source } = {
  sites: { table: 'sites', columns: 'timezone, geo, pins_alarmed_until', render: withoutNulls },
  devices: {
    table: 'devices',
    columns: 'site_id, product_id',
    lists: ['input_rules'],
    render: renderDevice,
  },
  gadgets: {
    table: 'gadgets',
    columns: 'site_id, device_id',
    lists: ['actions', 'states', 'signals'],
    render: renderGadget,
  },
  schedules: { table: 'schedules', columns: 'id', lists: ['weekdays'], render: withoutNulls },
  groups: { table: 'member_groups', columns: 'id', lists: ['permissions'], render: withoutNulls },
  triggers: {
    table: 'gadget_triggers',
    columns: `site_id, source_type, source_gadget_id, source_state_id, source_signal_id, source_schedule_id,
      source_schedule_event, target_gadget_id, target_action_id`,
    render: withoutNulls,
  },
}

const kinds = Object.keys(sources) as PlaceKind[]

/** Types of events that tell of a changed place. */
export const placeKindOf: Readonly<Record<string, PlaceKind>> = {
  site: 'sites',
  device: 'devices',
  gadget: 'gadgets',
  schedule: 'schedules',
  member_group: 'groups',
  gadget_trigger: 'triggers',
}

/** As many rows as are read at once. */
const page = 200

export async function loadPlaces(db: Database, organizationId: string): Promise<Places> {
  const places = Object.fromEntries(kinds.map(kind => [kind, new Map()])) as unknown as Places
  for (const kind of kinds)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows: Row[] = await db.query(
        `SELECT ${selected(kind)} FROM ${sources[kind].table} WHERE organization_id = $1 AND NOT is_deleted AND id > $2
         ORDER BY id LIMIT ${page}`,
        [organizationId, after],
      )
      const values = await inSlices(organizationId, renderRows(kind, rows))
      for (const [id, value] of values) setPlace(places, kind, id, value)
      after = rows.length < page ? undefined : (rows.at(-1)?.id as string)
    }
  return places
}

/** Reads some objects again; true when one of them is not what it was. Most events of devices only tell that they are online. */
export async function rereadPlaces(
  db: Database,
  organizationId: string,
  places: Places,
  changed: readonly { readonly kind: PlaceKind; readonly id: string }[],
): Promise<boolean> {
  let differs = false
  for (const [kind, group] of Map.groupBy(changed, ({ kind }) => kind)) {
    const all = [...new Set(group.map(({ id }) => id))]
    for (let start = 0; start < all.length; start += page) {
      const ids = all.slice(start, start + page)
      const rows = await db.query(
        `SELECT ${selected(kind)} FROM ${sources[kind].table} WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted`,
        [organizationId, ids],
      )
      const living = await inSlices(organizationId, renderRows(kind, rows))
      for (const id of ids) differs = setPlace(places, kind, id, living.get(id)) || differs
    }
  }
  return differs
}

function selected(kind: PlaceKind): string {
  const { columns, lists = [] } = sources[kind]
  return ['id', columns, ...lists.map(name => `${name}::text AS ${name}`)].join(', ')
}

function* renderRows(kind: PlaceKind, rows: readonly Row[]): Steps<Map<string, { id: string }>> {
  const { lists = [], render } = sources[kind]
  const rendered = new Map<string, { id: string }>()
  for (const row of rows) {
    const parsed = lists.map(name => [name, JSON.parse(row[name] as string)])
    rendered.set(row.id as string, render({ ...row, ...Object.fromEntries(parsed) }))
    yield
  }
  return rendered
}

function setPlace(places: Places, kind: PlaceKind, id: string, value: object | undefined): boolean {
  const map = places[kind] as Map<string, object>
  const before = map.get(id)
  if (before === value || (before && value && JSON.stringify(before) === JSON.stringify(value))) return false
  if (value) map.set(id, value)
  else map.delete(id)
  return true
}

function withoutNulls(row: Row): { id: string } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as { id: string }
}

function renderDevice({ id, site_id, product_id, input_rules }: Row): SliceRow<'devices'> {
  return {
    id: id as string,
    site_id: site_id as string,
    capabilities: capabilitiesOf(product_id as string),
    input_rules: input_rules as InputRule[],
  }
}

/** Without names. */
function renderGadget({ id, site_id, device_id, actions, states, signals }: Row): SliceRow<'gadgets'> {
  const ids = (list: unknown) => (list as { id: string }[]).map(entry => ({ id: entry.id }))
  return {
    id: id as string,
    site_id: site_id as string,
    device_id: device_id as string,
    actions: ids(actions),
    states: ids(states),
    signals: ids(signals),
  }
}
