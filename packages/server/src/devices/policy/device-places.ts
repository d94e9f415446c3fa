import { createHash } from 'node:crypto'
import type { SliceKind, SliceRows } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { type Coverage, groupsFor, targetsOf } from './coverage.ts'
import type { Places } from './places.ts'

/** The part of a slice other than members, and the fields that decide which members belong to it. */
export interface DevicePlaces {
  /** The row as it is sent, by `kind id`. */
  readonly rows: ReadonlyMap<string, string>
  readonly groups: ReadonlySet<string>
  readonly takes_pins: boolean
  readonly takes_cards: boolean
  readonly hash: string
}

/** `seal` identifies the keys that are sent with the rows. `only`: these groups and those they inherit. */
export function* devicePlaces(
  places: Places,
  coverage: Coverage,
  deviceId: string,
  seal: string,
  only?: ReadonlySet<string>,
): Steps<DevicePlaces> {
  const targets = targetsOf(places, coverage, deviceId)
  const groups = yield* groupsFor(places, coverage, targets, only)
  const own = coverage.gadgets_of_device.get(deviceId) ?? []
  const triggerIds = new Set(own.flatMap(id => [...(coverage.triggers_of_gadget.get(id) ?? [])]))
  const triggers = [...triggerIds].flatMap(id => places.triggers.get(id) ?? [])
  const gadgets = new Set([
    ...targets,
    ...triggers.flatMap(({ source_gadget_id, target_gadget_id }) => [
      source_gadget_id ?? '',
      target_gadget_id,
    ]),
  ])
  const gadgetRows = [...gadgets].flatMap(id => places.gadgets.get(id) ?? [])
  const devices = new Set([deviceId, ...gadgetRows.map(row => row.device_id)])
  const deviceRows = [...devices].flatMap(id => places.devices.get(id) ?? [])
  const sites = new Set([...gadgetRows, ...deviceRows, ...triggers].map(row => row.site_id))
  const schedules = new Set([
    ...[...groups.values()].flat().map(rule => rule.schedule_id ?? ''),
    ...triggers.map(trigger => trigger.source_schedule_id ?? ''),
  ])
  const rows = new Map<string, string>()
  function* put(kind: SliceKind, list: Iterable<{ id: string }>): Steps<void> {
    for (const row of list) {
      rows.set(`${kind} ${row.id}`, JSON.stringify(row))
      yield
    }
  }
  yield* put(
    'sites',
    [...sites].flatMap(id => places.sites.get(id) ?? []),
  )
  yield* put(
    'devices',
    deviceRows.map(row => (row.id === deviceId ? row : { ...row, input_rules: [] })),
  )
  yield* put('gadgets', gadgetRows)
  yield* put(
    'schedules',
    [...schedules].flatMap(id => places.schedules.get(id) ?? []),
  )
  yield* put(
    'groups',
    [...groups].map(([id, permissions]) => ({ id, permissions })),
  )
  yield* put('triggers', triggers)
  const capabilities = places.devices.get(deviceId)?.capabilities
  return {
    rows,
    groups: new Set(groups.keys()),
    takes_pins: capabilities?.pin === true,
    takes_cards: capabilities?.nfc === true,
    hash: yield* hashRows(rows, seal),
  }
}

function* hashRows(rows: ReadonlyMap<string, string>, seal: string): Steps<string> {
  const hash = createHash('sha256').update(seal)
  for (const key of [...rows.keys()].sort()) {
    hash.update(`\n${key} ${rows.get(key)}`)
    yield
  }
  return hash.digest('hex')
}

interface Difference {
  /** JSON of rows, by kind. */
  readonly put: Map<SliceKind, string[]>
  readonly remove: { [Kind in SliceKind]?: string[] }
  readonly groups_added: string[]
  readonly groups_removed: string[]
}

export function difference(before: DevicePlaces, after: DevicePlaces): Difference {
  const put = new Map<SliceKind, string[]>()
  for (const [key, json] of after.rows) if (before.rows.get(key) !== json) pushTo(put, kindOf(key), json)
  const removed = new Map<SliceKind, string[]>()
  for (const key of before.rows.keys())
    if (!after.rows.has(key)) pushTo(removed, kindOf(key), key.slice(key.indexOf(' ') + 1))
  return {
    put,
    remove: Object.fromEntries(removed),
    groups_added: [...after.groups].filter(id => !before.groups.has(id)),
    groups_removed: [...before.groups].filter(id => !after.groups.has(id)),
  }
}

export function rowsByKind({ rows }: DevicePlaces): Map<SliceKind, string[]> {
  const put = new Map<SliceKind, string[]>()
  for (const [key, json] of rows) pushTo(put, kindOf(key), json)
  return put
}

function kindOf(key: string): SliceKind {
  return key.slice(0, key.indexOf(' ')) as keyof SliceRows
}

function pushTo<K>(map: Map<K, string[]>, key: K, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
