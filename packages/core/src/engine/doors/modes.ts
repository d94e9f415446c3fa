import { compileEmergency, type Emergency, isActive } from '../../modes/door-sources.ts'
import type { EmergencyRow, OverrideRow, SiteFire, UnlockRuleRow } from '../../modes/mode-rows.ts'
import { type Gadget, gadgetCell, type Located } from '../gadgets.ts'
import { grow } from '../id-column.ts'
import type { GadgetRow, SiteRow } from '../policy-rows.ts'
import { anyMark, createDoor, modeFlags } from './door-cell.ts'

/** Everything that sets modes. Doors look up here what concerns them, when they are asked. */
export interface Modes {
  /** Counts the changes after which a door may have another mode. */
  edition: number
  /** Gadgets whose flag is greater than this have to be asked for their mode. */
  limit: number
  /** By gadget, see `modeFlags`. Every decision reads this column, so it must stay in the CPU cache. */
  flags: Uint8Array
  calm: Calm
  emergencies: Map<string, Emergency>
  /** By site, while there is a fire. */
  fires: Map<string, SiteFire>
  /** By gadget. */
  overrides: Map<string, OverrideRow>
  rules: Map<string, UnlockRuleRow>
  rules_by_gadget: Map<string, Map<string, UnlockRuleRow>>
}

/** The time in which no marked door changes its mode. */
export interface Calm {
  from: number
  until: number
}

export interface Moded extends Located {
  modes: Modes
}

export function createModes(): Modes {
  return {
    edition: 0,
    limit: modeFlags.in_emergencies,
    flags: new Uint8Array(),
    calm: { from: Infinity, until: -Infinity },
    emergencies: new Map(),
    fires: new Map(),
    overrides: new Map(),
    rules: new Map(),
    rules_by_gadget: new Map(),
  }
}

/** Whether any door can be one that everybody passes. Otherwise nobody passes without a group. */
export function mayBeHeldOpen({ modes }: Pick<Moded, 'modes'>): boolean {
  const { emergencies, fires, overrides, rules } = modes
  return emergencies.size + fires.size + overrides.size + rules.size > 0
}

export function putDoor(policy: Moded, row: GadgetRow): void {
  const gadget = gadgetCell(policy, row.id)
  gadget.door = row.door ? createDoor(row.door, row.tag_ids ?? []) : null
  setFlag(policy.modes, gadget)
}

export function putFire(modes: Modes, { fire, id, is_deleted }: SiteRow): void {
  if (fire?.since && !is_deleted) modes.fires.set(id, fire)
  else modes.fires.delete(id)
  setLimit(modes)
}

export function putEmergency({ modes }: Moded, row: EmergencyRow): void {
  if (isActive(row)) modes.emergencies.set(row.id, compileEmergency(row))
  else modes.emergencies.delete(row.id)
  setLimit(modes)
}

export function putOverride(policy: Moded, row: OverrideRow): void {
  const { modes } = policy
  if (row.is_deleted) modes.overrides.delete(row.id)
  else modes.overrides.set(row.id, row)
  modes.edition++
  setFlag(modes, gadgetCell(policy, row.id))
}

export function putUnlockRule(policy: Moded, row: UnlockRuleRow): void {
  const { modes } = policy
  const before = modes.rules.get(row.id)?.gadget_ids ?? []
  const after = row.is_enabled && !row.is_deleted ? row.gadget_ids : []
  for (const id of before) modes.rules_by_gadget.get(id)?.delete(row.id)
  for (const id of after) rulesOf(modes, id).set(row.id, row)
  if (after.length === 0) modes.rules.delete(row.id)
  else modes.rules.set(row.id, row)
  modes.edition++
  for (const id of new Set([...before, ...after])) setFlag(modes, gadgetCell(policy, id))
}

function rulesOf({ rules_by_gadget }: Modes, gadgetId: string): Map<string, UnlockRuleRow> {
  const known = rules_by_gadget.get(gadgetId) ?? new Map<string, UnlockRuleRow>()
  rules_by_gadget.set(gadgetId, known)
  return known
}

/** Takes all marks away. Doors are marked again when they are asked. */
export function beginCalm({ calm, flags }: Modes): void {
  calm.from = -Infinity
  calm.until = Infinity
  for (let door = 0; door < flags.length; door++) flags[door] = (flags[door] as number) & ~anyMark
}

/** Whatever may change the mode of a door ends the calm. */
export function endCalm({ calm }: Modes): void {
  calm.from = Infinity
  calm.until = -Infinity
}

/** Also takes the mark away. */
function setFlag(modes: Modes, gadget: Gadget): void {
  if (gadget.number >= modes.flags.length) modes.flags = grow(modes.flags, gadget.number + 1)
  modes.flags[gadget.number] = flagOf(modes, gadget)
}

function flagOf({ overrides, rules_by_gadget }: Modes, { door, id }: Gadget): number {
  if (door === null) return modeFlags.never
  const isRuled = overrides.has(id) || (rules_by_gadget.get(id)?.size ?? 0) > 0
  return isRuled ? modeFlags.always : modeFlags.in_emergencies
}

function setLimit(modes: Modes): void {
  const isQuiet = modes.emergencies.size + modes.fires.size === 0
  modes.limit = isQuiet ? modeFlags.in_emergencies : modeFlags.never
  modes.edition++
}
