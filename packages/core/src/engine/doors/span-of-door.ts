import type { DoorSources } from '../../modes/door-sources.ts'
import { type ModeSpan, modeSpanSteps } from '../../modes/mode-span.ts'
import { isHeldOpen } from '../../modes/precedence.ts'
import { compileUnlockRule, sourcesOf } from '../../modes/sources-of-rows.ts'
import type { Gadget } from '../gadgets.ts'
import { scheduleCell } from '../schedules.ts'
import { finish, type Steps } from '../steps.ts'
import type { DoorCell } from './door-cell.ts'
import type { Moded } from './modes.ts'

/** Whether the mode of a gadget can be other than `controlled`. */
export function asksMode({ modes }: Moded, gadget: Gadget): boolean {
  return gadget.mode_flag > modes.limit
}

/** Whether it is known that the mode lets permissions alone decide at the time. */
export function isPlain(policy: Moded, gadget: Gadget, at: number): boolean {
  if (gadget.plain_edition !== editionOf(policy)) return false
  const moment = at * momentsPerMicrosecond
  return moment > gadget.plain_after && moment < gadget.plain_before
}

/** The moments at its ends are left out: then the door itself is asked. */
function notePlain(policy: Moded, gadget: Gadget, { from, mode, needs, until }: ModeSpan): void {
  if (isHeldOpen(mode.effective) || needs.length > 0) return
  gadget.plain_edition = editionOf(policy)
  gadget.plain_after = Math.max(Math.ceil(from * momentsPerMicrosecond) + 1, 0)
  gadget.plain_before = Math.min(Math.floor(until * momentsPerMicrosecond) - 1, lastMoment)
}

/** A moment is four seconds, so that three centuries of them fit into small integers. */
const momentsPerMicrosecond = 1 / 4_000_000
const lastMoment = 2 ** 31 - 1

/** Returns the mode of a gadget that is a door. The last answer is kept for as long as it holds. */
export function spanOfDoor(policy: Moded, gadget: Gadget, at: number): ModeSpan {
  return keptSpan(policy, gadget.door as DoorCell, at) ?? finish(spanOfDoorSteps(policy, gadget, at))
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
  notePlain(policy, gadget, found)
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
