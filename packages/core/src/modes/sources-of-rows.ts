import { toMicroseconds } from '../engine/microseconds.ts'
import { aloneSchedule, aloneSite, type ScheduleTimes, type SiteTimes } from '../engine/open-times.ts'
import type { Site } from '../engine/places.ts'
import type { Schedule } from '../engine/schedules.ts'
import { finish, type Steps } from '../engine/steps.ts'
import {
  compileEmergency,
  concerns,
  type DoorPlace,
  type DoorSources,
  type Emergency,
  emergencyAt,
  fireSince,
  isActive,
  overrideOf,
} from './door-sources.ts'
import type { Door, EmergencyRow, OverrideRow, SiteFire, UnlockRuleRow } from './mode-rows.ts'
import type { UnlockRule } from './rule-spans.ts'

/** A door with everything that may concern it; what does not is left out. */
export interface DoorRows extends DoorPlace {
  door: Door
  site: Site
  fire: SiteFire | null
  override: OverrideRow | null
  emergencies: Iterable<Emergency>
  rules: readonly UnlockRule[]
}

export function* sourcesOf(rows: DoorRows): Steps<DoorSources> {
  const { door, gadget_id, override, rules, site } = rows
  const emergencies = [...rows.emergencies].filter(emergency => concerns(emergency, rows))
  const ofType = (type: EmergencyRow['type']) =>
    emergencies.filter(({ row }) => row.type === type).map(emergency => emergencyAt(emergency, gadget_id))
  return {
    site,
    can_hold: door.hold_action_id != null,
    fire_since: fireSince(rows.fire, gadget_id, door),
    evacuations: ofType('evacuation'),
    lockdowns: ofType('lockdown'),
    override: override === null || override.is_deleted ? null : yield* overrideOf(override, rules, site),
    rules,
  }
}

export function compileUnlockRule(row: UnlockRuleRow, schedule: Schedule): UnlockRule {
  return {
    id: row.id,
    schedule,
    first_person: row.first_person ?? null,
    arrivals: instants(row.arrivals),
    departures: instants(row.departures),
  }
}

/** Rows of one door that is in no policy, for previews. */
export interface LooseDoor extends Omit<DoorRows, 'site' | 'rules' | 'emergencies'> {
  site: SiteTimes
  emergencies: readonly EmergencyRow[]
  rules: readonly (UnlockRuleRow & { schedule: ScheduleTimes })[]
}

export function sourcesOfLooseDoor({ emergencies, site, rules, ...door }: LooseDoor): DoorSources {
  const own = rules.filter(
    row => row.is_enabled && !row.is_deleted && row.gadget_ids.includes(door.gadget_id),
  )
  const rows = {
    ...door,
    site: aloneSite(site),
    emergencies: emergencies.filter(isActive).map(compileEmergency),
    rules: own
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((row, number) => compileUnlockRule(row, { ...aloneSchedule(row.schedule), number })),
  }
  return finish(sourcesOf(rows))
}

function instants(timestamps: readonly string[] | null | undefined): number[] {
  return (timestamps ?? []).map(toMicroseconds).sort((a, b) => a - b)
}
