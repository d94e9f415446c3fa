import { createHash } from 'node:crypto'
import type { DeviceCapability, SliceKind, SliceRows } from '@gatehouse-access/api'
import type { Steps } from '@gatehouse-access/core'
import { meetNeeds } from '../modes/meet-needs.ts'
import { type ModeNeeds, noNeeds } from '../modes/mode-view.ts'
import { type Coverage, groupsFor, readsSchedule, targetsOf } from './coverage.ts'
import type { Places } from './places.ts'

/** The part of a slice other than members, and the fields that decide which members belong to it. */
export interface DevicePlaces {
  /** The row as it is sent, by `kind id`, unless `overlay` has another. */
  readonly rows: ReadonlyMap<string, string>
  /** The rows that change with the time and the zone data: sites with their special days, and zones. */
  readonly overlay: ReadonlyMap<string, string>
  /** Rows of emergencies, which change and are sent before everything else. */
  readonly emergencies: ReadonlyMap<string, string>
  readonly groups: ReadonlySet<string>
  readonly takes_pins: boolean
  readonly takes_cards: boolean
  /** Whether it reads what is suspended. Otherwise it gets neither such members nor such credentials. */
  readonly knows_suspensions: boolean
  /** What the device would need to read the rows that were left out. */
  readonly missing: readonly DeviceCapability[]
  /** Says what the rows follow from that sets the modes of its doors. */
  readonly mode_needs: string
  /** Of `rows`. Without an overlay it is also the `hash`, as it always was. */
  readonly base_hash: string
  /** Of `overlay`. Empty if there is none. */
  readonly overlay_hash: string
  /** Of everything that is sent: the hashes of rows, overlay and emergencies, with dots between them. */
  readonly hash: string
}

export interface Reader {
  /** Identifies the keys that are sent with the rows. */
  readonly seal: string
  readonly capabilities: ReadonlySet<DeviceCapability>
  /** These groups and those they inherit. */
  readonly only?: ReadonlySet<string> | undefined
  readonly needs?: ModeNeeds
}

const nothing: ReadonlyMap<string, string> = new Map()
const exceptions = ['schedule_exceptions'] as const
/** A controller without it does not let people out of an electric door. */
const doors = ['doors'] as const
const modes = ['door_modes'] as const
const monitor = ['door_monitor'] as const
const suspensions = ['suspensions'] as const

/** Returns the places of a device, without an overlay. */
export function* devicePlaces(
  places: Places,
  coverage: Coverage,
  deviceId: string,
  { seal, capabilities, only, needs = noNeeds }: Reader,
): Steps<DevicePlaces> {
  const targets = targetsOf(places, coverage, deviceId)
  let isMissing = false
  let needsMonitor = false
  const leavesOut = (scheduleId: string | null | undefined) => {
    const isLeftOut = !readsSchedule(capabilities, places, scheduleId)
    isMissing ||= isLeftOut
    return isLeftOut
  }
  const knowsSuspensions = capabilities.has('suspensions')
  const isSuspended = !knowsSuspensions && places.devices.get(deviceId)?.is_suspended === true
  const groups = yield* groupsFor(places, coverage, targets, {
    only,
    leavesOut: rule => isSuspended || leavesOut(rule.schedule_id),
  })
  yield* meetNeeds(places, groups, needs, { targets, only })
  const own = coverage.gadgets_of_device.get(deviceId) ?? []
  const triggerIds = new Set(own.flatMap(id => [...(coverage.triggers_of_gadget.get(id) ?? [])]))
  const triggers = [...triggerIds]
    .flatMap(id => places.triggers.get(id) ?? [])
    .filter(trigger => !leavesOut(trigger.source_schedule_id))
    .filter(({ source_type }) => {
      const isRead = source_type !== 'alarm' || capabilities.has('door_monitor')
      needsMonitor ||= !isRead
      return isRead
    })
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
    ...needs.schedules,
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
  const base_hash = yield* hashRows(rows, knowsSuspensions ? `${seal} suspensions` : seal)
  return {
    rows,
    overlay: nothing,
    emergencies: nothing,
    groups: new Set(groups.keys()),
    takes_pins: product?.pin === true,
    takes_cards: product?.nfc === true,
    missing: [
      ...(isMissing ? exceptions : []),
      ...(needsDoors && !capabilities.has('doors') ? doors : []),
      ...(needs.is_missing ? modes : []),
      ...(needsMonitor ? monitor : []),
      ...(isSuspended ? suspensions : []),
    ],
    knows_suspensions: knowsSuspensions,
    mode_needs: needs.signature,
    base_hash,
    overlay_hash: '',
    hash: base_hash,
  }
}

/** Returns the places with these rows above them. */
export function* overlaid(
  places: DevicePlaces,
  overlay: ReadonlyMap<string, string>,
  emergencies: ReadonlyMap<string, string>,
): Steps<DevicePlaces> {
  const overlay_hash = overlay.size === 0 ? '' : yield* hashRows(overlay, '')
  return yield* withEmergencies({ ...places, overlay, overlay_hash }, emergencies)
}

/** Returns the places with other emergencies. */
export function* withEmergencies(
  places: DevicePlaces,
  emergencies: ReadonlyMap<string, string>,
): Steps<DevicePlaces> {
  const { base_hash: base, overlay_hash: overlay } = places
  const last = emergencies.size === 0 ? '' : yield* hashRows(emergencies, '')
  return { ...places, emergencies, hash: joinHash({ base, overlay, emergencies: last }) }
}

interface HashParts {
  readonly base: string
  readonly overlay: string
  readonly emergencies: string
}

/** Without an overlay and emergencies, the hash is that of the rows, as it always was. */
export function joinHash({ base, overlay, emergencies }: HashParts): string {
  if (emergencies !== '') return [base, overlay, emergencies].join('.')
  return overlay === '' ? base : `${base}.${overlay}`
}

/** Splits a hash into those of the rows, of the overlay and of the emergencies. */
export function partsOfHash(hash: string): HashParts {
  const [base = '', overlay = '', emergencies = ''] = hash.split('.')
  return { base, overlay, emergencies }
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

function sentRow({ rows, overlay, emergencies }: DevicePlaces, key: string): string | undefined {
  return overlay.get(key) ?? rows.get(key) ?? emergencies.get(key)
}

/** Emergencies come first. */
function* sentRows({ rows, overlay, emergencies }: DevicePlaces): Generator<readonly [string, string]> {
  yield* emergencies
  for (const [key, json] of rows) yield [key, overlay.get(key) ?? json]
  for (const [key, json] of overlay) if (!rows.has(key)) yield [key, json]
}

/** Returns the ids of the rows of a kind. */
export function* idsOf({ rows }: DevicePlaces, kind: SliceKind): Generator<string> {
  for (const key of rows.keys()) if (kindOf(key) === kind) yield idOf(key)
}

export function idOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

export function kindOf(key: string): SliceKind {
  return key.slice(0, key.indexOf(' ')) as keyof SliceRows
}

export function pushTo<K>(map: Map<K, string[]>, key: K, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
