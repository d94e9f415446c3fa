import { capabilitiesOf, type PermissionRule, type SliceRow } from '@gatehouse/api'
import type { InputRule } from '@gatehouse/core'
import type { Database, Row } from '../../store/db.ts'

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
  readonly render: (row: Row) => { id: string }
}

const sources: { readonly [Kind in PlaceKind]: Source } = {
  sites: { table: 'sites', columns: 'timezone, geo, pins_alarmed_until', render: withoutNulls },
  devices: { table: 'devices', columns: 'site_id, product_id, input_rules', render: renderDevice },
  gadgets: {
    table: 'gadgets',
    columns: 'site_id, device_id, actions, states, signals',
    render: renderGadget,
  },
  schedules: { table: 'schedules', columns: 'weekdays', render: withoutNulls },
  groups: { table: 'member_groups', columns: 'permissions', render: withoutNulls },
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

export async function loadPlaces(db: Database, organizationId: string): Promise<Places> {
  const places = Object.fromEntries(kinds.map(kind => [kind, new Map()])) as unknown as Places
  for (const kind of kinds) {
    const { table, columns, render } = sources[kind]
    const rows = await db.query(
      `SELECT id, ${columns} FROM ${table} WHERE organization_id = $1 AND NOT is_deleted ORDER BY id`,
      [organizationId],
    )
    for (const row of rows) setPlace(places, kind, row.id as string, render(row))
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
    const ids = [...new Set(group.map(({ id }) => id))]
    const { table, columns, render } = sources[kind]
    const rows = await db.query(
      `SELECT id, ${columns} FROM ${table} WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted`,
      [organizationId, ids],
    )
    const living = new Map(rows.map(row => [row.id as string, render(row)]))
    for (const id of ids) differs = setPlace(places, kind, id, living.get(id)) || differs
  }
  return differs
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
