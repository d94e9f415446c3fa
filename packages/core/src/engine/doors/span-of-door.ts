import type { DoorSources } from '../../modes/door-sources.ts'
import { type ModeSpan, modeSpanSteps } from '../../modes/mode-span.ts'
import { isHeldOpen } from '../../modes/precedence.ts'
import { compileUnlockRule, sourcesOf } from '../../modes/sources-of-rows.ts'
import type { Gadget } from '../gadgets.ts'
import { scheduleCell } from '../schedules.ts'
import { finish, type Steps } from '../steps.ts'
import { anyMark, type DoorCell, modeMarks } from './door-cell.ts'
import { beginCalm, type Moded, type Modes } from './modes.ts'

/** Whether the mode of a gadget can be other than `controlled`. */
export function asksMode({ modes }: Moded, { number }: Gadget): boolean {
  return ((modes.flags[number] as number) & ~anyMark) > modes.limit
}

/** Like `asksMode`, but not if it is known that the mode lets permissions alone decide at the time. */
export function asksModeAt({ modes }: Moded, { number }: Gadget, at: number): boolean {
  const flag = modes.flags[number] as number
  if (flag <= modes.limit) return false
  return (flag & modeMarks.plain) === 0 || !isCalm(modes, at)
}

/** Whether it is known that nobody passes without permission at the time. */
export function isGuarded({ modes }: Moded, { number }: Gadget, at: number): boolean {
  return ((modes.flags[number] as number) & modeMarks.guarded) !== 0 && isCalm(modes, at)
}

function isCalm({ calm }: Modes, at: number): boolean {
  return at >= calm.from && at < calm.until
}

/** What holds for all marked doors is in the policy, so that a decision about one reads a single byte of it. */
function markDoor(
  { modes }: Moded,
  { number }: Gadget,
  { from, mode, needs, until }: ModeSpan,
  at: number,
): void {
  if (isHeldOpen(mode.effective)) return
  if (!isCalm(modes, at)) beginCalm(modes)
  modes.calm.from = Math.max(modes.calm.from, from)
  modes.calm.until = Math.min(modes.calm.until, until)
  const mark = needs.length === 0 ? modeMarks.plain : modeMarks.guarded
  modes.flags[number] = ((modes.flags[number] as number) & ~anyMark) | mark
}

/** Returns the mode of a gadget that is a door. The last answer is kept for as long as it holds. */
export function spanOfDoor(policy: Moded, gadget: Gadget, at: number): ModeSpan {
  const kept = keptSpan(policy, gadget.door as DoorCell, at)
  if (kept === null) return finish(spanOfDoorSteps(policy, gadget, at))
  if (!isGuarded(policy, gadget, at)) markDoor(policy, gadget, kept, at)
  return kept
}

/** Like `spanOfDoor`. A door can have many rules, and what ends its override may lie far ahead. */
export function* spanOfDoorSteps(policy: Moded, gadget: Gadget, at: number): Steps<ModeSpan> {
  const door = gadget.door as DoorCell
  const sources = yield* sourcesOfDoorSteps(policy, gadget, door)
  const kept = keptSpan(policy, door, at)
  if (kept !== null) return kept
  const found = yield* modeSpanSteps(sources, at)
  if (Number.isNaN(at) || door.sources !== sources) return found
  door.span = found
  markDoor(policy, gadget, found, at)
  return found
}

function keptSpan(policy: Moded, { edition, span }: DoorCell, at: number): ModeSpan | null {
  if (span === null || edition !== editionOf(policy)) return null
  return at >= span.from && at < span.until ? span : null
}

function editionOf({ modes, places }: Moded): number {
  return modes.edition + places.edition.number
}

/** Returns what sets the mode of a door, compiled anew when something changed. */
export function sourcesOfDoor(policy: Moded, gadget: Gadget, door: DoorCell): DoorSources {
  return finish(sourcesOfDoorSteps(policy, gadget, door))
}

export function* sourcesOfDoorSteps(policy: Moded, gadget: Gadget, door: DoorCell): Steps<DoorSources> {
  if (door.sources !== null && door.edition === editionOf(policy)) return door.sources
  const edition = editionOf(policy)
  const sources = yield* findSources(policy, gadget, door)
  door.sources = sources
  door.edition = edition
  door.span = null
  return sources
}

function findSources(
  { modes, places }: Moded,
  gadget: Gadget,
  { row, tag_ids }: DoorCell,
): Steps<DoorSources> {
  const rules = [...(modes.rules_by_gadget.get(gadget.id)?.values() ?? [])]
  return sourcesOf({
    gadget_id: gadget.id,
    site_id: gadget.site.id,
    tag_ids,
    door: row,
    site: gadget.site,
    fire: modes.fires.get(gadget.site.id) ?? null,
    override: modes.overrides.get(gadget.id) ?? null,
    emergencies: modes.emergencies.values(),
    rules: rules
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(rule => compileUnlockRule(rule, scheduleCell(places, rule.schedule_id))),
  })
}
