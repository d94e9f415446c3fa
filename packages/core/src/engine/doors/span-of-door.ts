import type { DoorSources } from '../../modes/door-sources.ts'
import { type ModeSpan, modeSpanAt } from '../../modes/mode-span.ts'
import { isHeldOpen } from '../../modes/precedence.ts'
import { compileUnlockRule, sourcesOf } from '../../modes/sources-of-rows.ts'
import type { Gadget } from '../gadgets.ts'
import { scheduleCell } from '../schedules.ts'
import type { DoorCell } from './door-cell.ts'
import type { Moded } from './modes.ts'

/** Whether the mode of a gadget can be other than `controlled`. */
export function asksMode({ modes }: Moded, gadget: Gadget): boolean {
  return gadget.mode_flag > modes.limit
}

/** Whether it is known that the mode lets permissions alone decide at the time. */
export function isPlain(policy: Moded, { number }: Gadget, at: number): boolean {
  const { modes, places } = policy
  if (modes.plain_edition !== modes.edition + places.edition.number) forgetPlain(policy)
  const { plain } = modes
  return at >= (plain[number * 2] as number) && at < (plain[number * 2 + 1] as number)
}

function forgetPlain({ gadgets, modes, places }: Moded): void {
  const size = gadgets.cells.length * 2
  if (modes.plain.length < size) modes.plain = new Float64Array(size)
  modes.plain.fill(Number.NaN)
  modes.plain_edition = modes.edition + places.edition.number
}

/** A gadget that was added since is not noted before something else changes. */
function notePlain({ modes }: Moded, { number }: Gadget, { from, mode, needs, until }: ModeSpan): void {
  if (isHeldOpen(mode.effective) || needs.length > 0) return
  modes.plain[number * 2] = from
  modes.plain[number * 2 + 1] = until
}

/** Returns the mode of a gadget that is a door. The last answer is kept for as long as it holds. */
export function spanOfDoor(policy: Moded, gadget: Gadget, at: number): ModeSpan {
  const door = gadget.door as DoorCell
  const sources = sourcesOfDoor(policy, gadget, door)
  const { span } = door
  if (span !== null && at >= span.from && at < span.until) return span
  const found = modeSpanAt(sources, at)
  if (Number.isNaN(at)) return found
  door.span = found
  notePlain(policy, gadget, found)
  return found
}

/** Returns what sets the mode of a door, compiled anew when something changed. */
export function sourcesOfDoor(policy: Moded, gadget: Gadget, door: DoorCell): DoorSources {
  const edition = policy.modes.edition + policy.places.edition.number
  if (door.sources === null || door.edition !== edition) {
    door.sources = findSources(policy, gadget, door)
    door.edition = edition
    door.span = null
  }
  return door.sources
}

function findSources({ modes, places }: Moded, gadget: Gadget, { row, tag_ids }: DoorCell): DoorSources {
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
