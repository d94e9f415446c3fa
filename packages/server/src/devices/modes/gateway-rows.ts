import type { SliceKind, SliceRow } from '@gatehouse-access/api'
import type { Emergency, Steps } from '@gatehouse-access/core'
import { type DoorIndex, doorsOfGateway, type GatewayDoors, reached } from './doors-of.ts'
import type { Fire, ModeSources, Plan, RunningEmergency, UnlockRule } from './mode-sources.ts'

/** What a gateway is sent of the sources of modes, the same for all of its devices. */
export interface GatewayRows {
  /** Rows as they are sent, by `kind id`. */
  readonly emergencies: ReadonlyMap<string, string>
  readonly others: ReadonlyMap<string, string>
  /** `fire` of sites as JSON, by site. */
  readonly fires: ReadonlyMap<string, string>
  /** Groups whose members the doors ask for: first persons, and those who are exempt. */
  readonly groups: ReadonlySet<string>
  /** The schedules of the unlock rules. */
  readonly schedules: ReadonlySet<string>
}

/** `canRead`: whether a controller understands a schedule. */
export function* gatewayRows(
  sources: ModeSources,
  index: DoorIndex,
  gatewayId: string,
  canRead: (scheduleId: string) => boolean,
): Steps<GatewayRows> {
  const own = doorsOfGateway(sources, index, gatewayId)
  const groups = new Set<string>()
  const schedules = new Set<string>()
  const others = new Map<string, string>()
  const put = <Kind extends SliceKind>(kind: Kind, row: SliceRow<Kind>) =>
    others.set(`${kind} ${row.id}`, JSON.stringify(row))
  for (const rule of sources.unlock_rules.values()) {
    yield
    const row = ruleRow(rule, own)
    if (!row || !canRead(row.schedule_id)) continue
    put('unlock_rules', row)
    schedules.add(row.schedule_id)
    for (const id of row.first_person?.member_group_ids ?? []) groups.add(id)
  }
  for (const { gadget_id } of own.doors) {
    const override = sources.overrides.get(gadget_id)
    if (override) put('overrides', override)
    yield
  }
  for (const plan of sources.emergency_plans.values()) {
    yield
    const doors = reached(plan.reach, own.doors)
    if (doors.length > 0) for (const id of plan.reach.exempt) groups.add(id)
    if (isStartedAt(plan, own)) put('emergency_plans', planRow(plan, doors))
  }
  const emergencies = yield* emergencyRows(sources, own)
  for (const { reach } of sources.emergencies.values())
    if (emergencies.has(`emergencies ${reach.row.id}`)) for (const id of reach.exempt) groups.add(id)
  return { emergencies, others, fires: firesOf(sources, own), groups, schedules }
}

/** Emergencies that have no door here are left out: only concerned devices hear of them. */
function* emergencyRows(sources: ModeSources, { doors }: GatewayDoors): Steps<Map<string, string>> {
  const rows = new Map<string, string>()
  for (const emergency of sources.emergencies.values()) {
    const own = reached(emergency.reach, doors)
    const { id } = emergency.reach.row
    if (own.length > 0) rows.set(`emergencies ${id}`, JSON.stringify(emergencyRow(emergency, own)))
    yield
  }
  return rows
}

function emergencyRow({ plan_id, reach }: RunningEmergency, doors: string[]): SliceRow<'emergencies'> {
  const { id, type, started_at, ends_at, held_until, is_drill } = reach.row
  return {
    id,
    ...(plan_id && { plan_id }),
    type,
    targets: { gadget_ids: doors },
    ...listed('exempt_member_group_ids', [...reach.exempt]),
    ...listed('unlocked_gadget_ids', unlockedBy(reach, doors)),
    started_at,
    ...(ends_at && { ends_at }),
    ...(held_until && { held_until }),
    ...(is_drill && { is_drill }),
  }
}

function planRow(plan: Plan, doors: string[]): SliceRow<'emergency_plans'> {
  const { reach, offline_hold_seconds, ends_after_seconds, control_gadget_id, trigger } = plan
  return {
    id: reach.row.id,
    type: reach.row.type,
    gadget_ids: doors,
    ...listed('exempt_member_group_ids', [...reach.exempt]),
    ...listed('unlocked_gadget_ids', unlockedBy(reach, doors)),
    ...(offline_hold_seconds !== null && { offline_hold_seconds }),
    ...(ends_after_seconds !== null && { ends_after_seconds }),
    ...(control_gadget_id && { control_gadget_id }),
    ...(trigger && { trigger }),
  }
}

function ruleRow({ gadgets, row }: UnlockRule, own: GatewayDoors): SliceRow<'unlock_rules'> | undefined {
  const doors = own.doors.filter(({ gadget_id }) => gadgets.has(gadget_id)).map(door => door.gadget_id)
  const { id, ...rest } = row
  return doors.length > 0 ? { id, gadget_ids: doors, ...rest } : undefined
}

function isStartedAt({ control_gadget_id, trigger }: Plan, { gadgets }: GatewayDoors): boolean {
  return gadgets.has(control_gadget_id ?? '') || gadgets.has(trigger?.gadget_id ?? '')
}

function unlockedBy({ unlocked }: Emergency, doors: readonly string[]): string[] {
  return doors.filter(id => unlocked.has(id))
}

/** Lists that are empty are left out. */
function listed<Name extends string>(name: Name, ids: string[]): { [Key in Name]?: string[] } {
  return (ids.length > 0 ? { [name]: ids } : {}) as { [Key in Name]?: string[] }
}

/** Sites whose doors are here, and the one whose contact is. */
function firesOf({ fires }: ModeSources, own: GatewayDoors): Map<string, string> {
  const sites = new Set(own.doors.map(({ site_id }) => site_id))
  const found = new Map<string, string>()
  for (const [site, fire] of fires)
    if (sites.has(site) || own.gadgets.has(fire.source_gadget_id))
      found.set(site, JSON.stringify(ownFire(fire, own)))
  return found
}

function ownFire(fire: Fire, { doors }: GatewayDoors): Fire {
  const own = new Set(doors.map(({ gadget_id }) => gadget_id))
  return { ...fire, release_gadget_ids: fire.release_gadget_ids.filter(id => own.has(id)) }
}
