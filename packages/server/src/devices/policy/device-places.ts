import { createHash } from 'node:crypto'
import type { DeviceCapability, SliceKind, SliceRows } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { type Coverage, groupsFor, readsSchedule, targetsOf } from './coverage.ts'
import type { Places } from './places.ts'

/** The part of a slice other than members, and the fields that decide which members belong to it. */
export interface DevicePlaces {
  /** The row as it is sent, by `kind id`, unless `overlay` has another. */
  readonly rows: ReadonlyMap<string, string>
  /** The rows that change with the time and the zone data: sites with their special days, and zones. */
  readonly overlay: ReadonlyMap<string, string>
  readonly groups: ReadonlySet<string>
  readonly takes_pins: boolean
  readonly takes_cards: boolean
  /** What the device would need to read the rows that were left out. */
  readonly missing: readonly DeviceCapability[]
  /** Of `rows`. Without an overlay it is also the `hash`, as it always was. */
  readonly base_hash: string
  /** Of everything that is sent: `base_hash`, and behind a dot the hash of the overlay. */
  readonly hash: string
}

export interface Reader {
  /** Identifies the keys that are sent with the rows. */
  readonly seal: string
  readonly capabilities: ReadonlySet<DeviceCapability>
  /** These groups and those they inherit. */
  readonly only?: ReadonlySet<string> | undefined
}

const nothing: ReadonlyMap<string, string> = new Map()
const exceptions = ['schedule_exceptions'] as const
/** A controller without it does not let people out of an electric door. */
const doors = ['doors'] as const

/** Returns the places of a device, without an overlay. */
export function* devicePlaces(
  places: Places,
  coverage: Coverage,
  deviceId: string,
  { seal, capabilities, only }: Reader,
): Steps<DevicePlaces> {
  const targets = targetsOf(places, coverage, deviceId)
  let isMissing = false
  const leavesOut = (scheduleId: string | null | undefined) => {
    const isLeftOut = !readsSchedule(capabilities, places, scheduleId)
    isMissing ||= isLeftOut
    return isLeftOut
  }
  const groups = yield* groupsFor(places, coverage, targets, {
    only,
    leavesOut: rule => leavesOut(rule.schedule_id),
  })
  const own = coverage.gadgets_of_device.get(deviceId) ?? []
  const triggerIds = new Set(own.flatMap(id => [...(coverage.triggers_of_gadget.get(id) ?? [])]))
  const triggers = [...triggerIds]
    .flatMap(id => places.triggers.get(id) ?? [])
    .filter(trigger => !leavesOut(trigger.source_schedule_id))
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
  const product = places.devices.get(deviceId)?.capabilities
  const needsDoors = own.some(id => places.gadgets.get(id)?.door?.egress === 'electric')
  const base_hash = yield* hashRows(rows, seal)
  return {
    rows,
    overlay: nothing,
    groups: new Set(groups.keys()),
    takes_pins: product?.pin === true,
    takes_cards: product?.nfc === true,
    missing: [...(isMissing ? exceptions : []), ...(needsDoors && !capabilities.has('doors') ? doors : [])],
    base_hash,
    hash: base_hash,
  }
}

/** Returns the places with these rows above them. */
export function* overlaid(places: DevicePlaces, overlay: ReadonlyMap<string, string>): Steps<DevicePlaces> {
  const { base_hash } = places
  if (overlay.size === 0) return { ...places, overlay: nothing, hash: base_hash }
  return { ...places, overlay, hash: `${base_hash}.${yield* hashRows(overlay, '')}` }
}

/** Returns the part of a stored hash that is of the rows without their overlay. */
export function baseOf(hash: string): string {
  return hash.split('.', 1)[0] ?? ''
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
  for (const [key, json] of sentRows(after)) if (sentRow(before, key) !== json) pushTo(put, kindOf(key), json)
  const removed = new Map<SliceKind, string[]>()
  for (const [key] of sentRows(before))
    if (sentRow(after, key) === undefined) pushTo(removed, kindOf(key), idOf(key))
  return {
    put,
    remove: Object.fromEntries(removed),
    groups_added: [...after.groups].filter(id => !before.groups.has(id)),
    groups_removed: [...before.groups].filter(id => !after.groups.has(id)),
  }
}

export function rowsByKind(places: DevicePlaces): Map<SliceKind, string[]> {
  const put = new Map<SliceKind, string[]>()
  for (const [key, json] of sentRows(places)) pushTo(put, kindOf(key), json)
  return put
}

function sentRow({ rows, overlay }: DevicePlaces, key: string): string | undefined {
  return overlay.get(key) ?? rows.get(key)
}

function* sentRows({ rows, overlay }: DevicePlaces): Generator<readonly [string, string]> {
  for (const [key, json] of rows) yield [key, overlay.get(key) ?? json]
  for (const [key, json] of overlay) if (!rows.has(key)) yield [key, json]
}

/** Returns the ids of the rows of a kind. */
export function* idsOf({ rows }: DevicePlaces, kind: SliceKind): Generator<string> {
  for (const key of rows.keys()) if (kindOf(key) === kind) yield idOf(key)
}

function idOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

function kindOf(key: string): SliceKind {
  return key.slice(0, key.indexOf(' ')) as keyof SliceRows
}

function pushTo<K>(map: Map<K, string[]>, key: K, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
