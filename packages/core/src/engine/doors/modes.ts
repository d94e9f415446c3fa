import { compileEmergency, type Emergency, isActive } from '../../modes/door-sources.ts'
import type { EmergencyRow, OverrideRow, SiteFire, UnlockRuleRow } from '../../modes/mode-rows.ts'
import { type Gadget, gadgetCell, type Located } from '../gadgets.ts'
import type { GadgetRow, SiteRow } from '../policy-rows.ts'
import { createDoor, modeFlags } from './door-cell.ts'

/** Everything that sets modes. Doors look up here what concerns them, when they are asked. */
export interface Modes {
  /** Counts the changes after which a door may have another mode. */
  edition: number
  /** Gadgets whose flag is greater than this have to be asked for their mode. */
  limit: number
  emergencies: Map<string, Emergency>
  /** By site, while there is a fire. */
  fires: Map<string, SiteFire>
  /** By gadget. */
  overrides: Map<string, OverrideRow>
  rules: Map<string, UnlockRuleRow>
  rules_by_gadget: Map<string, Map<string, UnlockRuleRow>>
}

export interface Moded extends Located {
  modes: Modes
}

export function createModes(): Modes {
  return {
    edition: 0,
    limit: modeFlags.in_emergencies,
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
  gadget.plain_edition = -1
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

function setFlag({ overrides, rules_by_gadget }: Modes, gadget: Gadget): void {
  const isRuled = overrides.has(gadget.id) || (rules_by_gadget.get(gadget.id)?.size ?? 0) > 0
  if (gadget.door === null) gadget.mode_flag = modeFlags.never
  else gadget.mode_flag = isRuled ? modeFlags.always : modeFlags.in_emergencies
}

function setLimit(modes: Modes): void {
  const isQuiet = modes.emergencies.size + modes.fires.size === 0
  modes.limit = isQuiet ? modeFlags.in_emergencies : modeFlags.never
  modes.edition++
}
