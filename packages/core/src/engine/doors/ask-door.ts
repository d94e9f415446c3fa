import { overrideOf } from '../../modes/door-sources.ts'
import { type DoorMode, describeMode } from '../../modes/effective-mode.ts'
import { isArrival, isDeparture, isThere, rememberFrom } from '../../modes/first-person.ts'
import type { OverrideRow } from '../../modes/mode-rows.ts'
import { modeSpanSteps } from '../../modes/mode-span.ts'
import { type ModeStretch, modeTimeline } from '../../modes/mode-timeline.ts'
import type { UnlockRule } from '../../modes/rule-spans.ts'
import { compileUnlockRule } from '../../modes/sources-of-rows.ts'
import { livingGadget } from '../gadgets.ts'
import { groupsInForce } from '../in-force.ts'
import { findMember } from '../members.ts'
import type { Policy } from '../policy.ts'
import type { AccessMethod } from '../policy-rows.ts'
import { scheduleCell } from '../schedules.ts'
import { finish, type ListSteps, type Steps } from '../steps.ts'
import { isMemberSuspended } from '../try-suspensions.ts'
import { sourcesOfDoor, sourcesOfDoorSteps, spanOfDoorSteps } from './span-of-door.ts'

/** The mode of a door, and when it may next be another one, in microseconds. */
export interface DoorNow {
  mode: DoorMode
  next_change: number
}

/** Returns null for a gadget that is no door, or is not living. NaN stands for a clock that is not sure. */
export function modeOfDoor(policy: Policy, gadget_id: string, at: number): DoorNow | null {
  return finish(modeOfDoorSteps(policy, gadget_id, at))
}

export function* modeOfDoorSteps(policy: Policy, gadget_id: string, at: number): Steps<DoorNow | null> {
  const gadget = livingGadget(policy, gadget_id)
  if (!gadget?.door) return null
  const { mode, until } = yield* spanOfDoorSteps(policy, gadget, at)
  return { mode: describeMode(mode), next_change: until }
}

/** Like `modeOfDoor`, with an override that the policy may not know yet; null if there is none. */
export function* modeUnderOverride(
  policy: Policy,
  gadget_id: string,
  at: number,
  override: OverrideRow | null,
): Steps<DoorMode | null> {
  const gadget = livingGadget(policy, gadget_id)
  if (!gadget?.door) return null
  const known = policy.modes.overrides.get(gadget_id)
  if (known?.set_at === override?.set_at)
    return describeMode((yield* spanOfDoorSteps(policy, gadget, at)).mode)
  const sources = yield* sourcesOfDoorSteps(policy, gadget, gadget.door)
  const other = override && (yield* overrideOf(override, sources.rules, sources.site))
  return describeMode((yield* modeSpanSteps({ ...sources, override: other }, at)).mode)
}

/** Returns the modes of a door between two instants, as `modeTimeline` does; nothing for other gadgets. */
export function* modesOfDoor(
  policy: Policy,
  gadget_id: string,
  from: number,
  until: number,
): ListSteps<ModeStretch> {
  const gadget = livingGadget(policy, gadget_id)
  if (!gadget?.door) return
  yield* modeTimeline(yield* sourcesOfDoorSteps(policy, gadget, gadget.door), from, until)
}

/** A door that somebody has just used. */
export interface DoorUse {
  member_id: string
  gadget_id: string
  action_id: string
  access_method: AccessMethod
  at: number
}

/** Returns the unlock rules for which this use is an arrival that has to be stored. */
export function arrivalsBy(policy: Policy, use: DoorUse): string[] {
  const gadget = livingGadget(policy, use.gadget_id)
  if (!gadget?.door || gadget.door.row.release_action_id !== use.action_id || !isThere(use.access_method))
    return []
  const member = findMember(policy.members, use.member_id)
  if (isMemberSuspended(policy, member, use.at)) return []
  const groups = groupsInForce(policy, member, use.at)
  const own = new Set(groups.filter(group => group.is_living).map(group => group.id))
  return sourcesOfDoor(policy, gadget, gadget.door)
    .rules.filter(rule => isFirstPerson(rule, own) && isArrival(rule, gadget.site, use.at))
    .map(rule => rule.id)
}

/** Returns the unlock rules whose present period the signal ends, so that the departure has to be stored. */
export function departuresBy(policy: Policy, gadget_id: string, signal_id: string, at: number): string[] {
  const named = [...policy.modes.rules.values()].filter(
    ({ last_person_signal: signal }) => signal?.gadget_id === gadget_id && signal.signal_id === signal_id,
  )
  return named.filter(row => endsPeriod(policy, row.id, row.gadget_ids, at)).map(row => row.id)
}

/** Returns the gadgets among these whose override has ended by itself. */
export function* overridesOver(policy: Policy, gadget_ids: readonly string[], at: number): Steps<string[]> {
  const over: string[] = []
  for (const id of gadget_ids) {
    const gadget = livingGadget(policy, id)
    const sources = gadget?.door ? yield* sourcesOfDoorSteps(policy, gadget, gadget.door) : null
    if (sources?.override && at >= sources.override.until) over.push(id)
    yield
  }
  return over
}

/** Returns since when arrivals and departures of a rule matter, at any of its doors; Infinity if none do. */
export function rememberedSince(policy: Policy, rule_id: string, at: number): number {
  const row = policy.modes.rules.get(rule_id)
  const gadgets = (row?.gadget_ids ?? [])
    .map(id => livingGadget(policy, id))
    .filter(found => found !== undefined)
  const sites = new Set(gadgets.filter(({ door }) => door !== null).map(({ site }) => site))
  if (row === undefined) return Infinity
  const rule = compileUnlockRule(row, scheduleCell(policy.places, row.schedule_id))
  return Math.min(Infinity, ...[...sites].map(site => rememberFrom(rule, site, at)))
}

function endsPeriod(policy: Policy, id: string, gadgets: readonly string[], at: number): boolean {
  const gadget = gadgets.map(gadget => livingGadget(policy, gadget)).find(found => found?.door)
  if (!gadget?.door) return false
  const rule = sourcesOfDoor(policy, gadget, gadget.door).rules.find(own => own.id === id)
  return rule !== undefined && isDeparture(rule, gadget.site, at)
}

function isFirstPerson({ first_person }: UnlockRule, groups: ReadonlySet<string>): boolean {
  return first_person?.member_group_ids.some(group => groups.has(group)) === true
}
