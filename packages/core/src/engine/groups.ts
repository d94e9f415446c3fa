import { cell } from './cells.ts'
import { type Gadget, gadgetCell, type Located, type Tag, tagCell } from './gadgets.ts'
import { grow } from './id-column.ts'
import { methodsOf } from './methods.ts'
import { type Site, siteCell } from './places.ts'
import type { GroupRow, PermissionRule } from './policy-rows.ts'
import { type Schedule, scheduleCell } from './schedules.ts'
import { everything, type Target, targetBits, targetOfGadget, targetOfSite } from './targets.ts'

export interface Rule {
  index: number
  target: Target
  site: Site | null
  gadget: Gadget | null
  /** Beside a gadget it only says why the rule names that gadget. */
  tag: Tag | null
  action_id: string | null
  schedule: Schedule | null
  needs_presence: boolean
  /** One bit per access method. */
  methods: number
  inherits: Group | null
}

/** Like places, a group is a cell with a fixed identity. */
export interface Group {
  /** The rules by target, for groups with many rules. Scanning a few rules is faster than a lookup. */
  by_target: ReadonlyMap<Target, readonly Rule[]> | null
  rules: readonly Rule[]
  number: number
  is_living: boolean
  id: string
  /** The distinct groups that its rules inherit from. */
  inherits: readonly Group[]
  /** The length of the longest inheritance path; Infinity when a path runs into a cycle. */
  depth: number
}

export interface Groups {
  by_id: Map<string, Group>
  by_number: Group[]
  /**
   * By number: the bits of all targets of a group, and `livingBit`. Most groups have no rule for a given
   * gadget, and this word shows it. The words of a whole organization fit in the CPU cache; the groups would
   * not.
   */
  filters: Uint32Array
  /** Set when a group's inheritance changed, so that the depths have to be recomputed. */
  are_depths_stale: boolean
}

const livingBit = 2 ** 31
const manyRules = 16
const noRules: readonly Rule[] = []

export function createGroups(): Groups {
  return {
    by_id: new Map(),
    by_number: [],
    filters: new Uint32Array(),
    are_depths_stale: false,
  }
}

export function putGroup(groups: Groups, located: Located, row: GroupRow): void {
  const group = groupCell(groups, row.id)
  const rules = row.permissions.map((rule, index) => compileRule(groups, located, rule, index))
  const inherits = [...new Set(rules.flatMap(rule => rule.inherits ?? []))]
  if (inherits.length + group.inherits.length > 0) groups.are_depths_stale = true
  group.is_living = !row.is_deleted
  group.rules = rules
  group.by_target = rules.length > manyRules ? Map.groupBy(rules, rule => rule.target) : null
  group.inherits = inherits
  groups.filters[group.number] = filterOf(group)
}

export function groupCell(groups: Groups, id: string): Group {
  return cell(groups.by_id, id, () => makeGroup(groups, id))
}

export function isLiving({ filters }: Groups, number: number): boolean {
  return (filters[number] as number) >= livingBit
}

/** False when no rule of the group, whether living or deleted, covers the gadget. */
export function mayConcern({ filters }: Groups, number: number, { target_bits }: Aim): boolean {
  return ((filters[number] as number) & target_bits) !== 0
}

/** The targets that cover a gadget, in addition to `everything` and its tags. */
export interface Aim {
  gadget: Gadget
  gadget_target: Target
  site_target: Target
  /** The bits of all of them, see `Groups`. */
  target_bits: number
}

/** Returns the rules whose target covers the gadget, in the group's order. */
export function rulesFor(group: Group, aim: Aim): readonly Rule[] {
  if (group.by_target === null) return group.rules.filter(rule => covers(rule.target, aim))
  const lists = targetsOf(aim).flatMap(target => rulesOfTarget(group.by_target, target))
  return lists.sort((a, b) => a.index - b.index)
}

/** Returns every target that covers the gadget, each once. */
export function targetsOf({ gadget, gadget_target, site_target }: Aim): readonly Target[] {
  return [gadget_target, site_target, everything, ...gadget.tags.map(({ target }) => target)]
}

function covers(target: Target, { gadget, gadget_target, site_target }: Aim): boolean {
  return (
    target === gadget_target ||
    target === site_target ||
    target === everything ||
    gadget.tags.some(tag => tag.target === target)
  )
}

export function rulesOfTarget(byTarget: Group['by_target'], target: Target): readonly Rule[] {
  return byTarget?.get(target) ?? noRules
}

function filterOf({ is_living, rules }: Group): number {
  return rules.reduce((bits, rule) => bits | targetBits(rule.target), is_living ? livingBit : 0)
}

function makeGroup(groups: Groups, id: string): Group {
  const number = groups.by_number.length
  const group: Group = {
    by_target: null,
    rules: noRules,
    number,
    is_living: false,
    id,
    inherits: [],
    depth: 0,
  }
  groups.by_number.push(group)
  if (groups.filters.length <= number) groups.filters = grow(groups.filters, number + 1)
  return group
}

function compileRule(groups: Groups, located: Located, rule: PermissionRule, index: number): Rule {
  const site = rule.site_id ? siteCell(located.places, rule.site_id) : null
  const gadget = rule.gadget_id ? gadgetCell(located, rule.gadget_id) : null
  const tag = rule.tag_id ? tagCell(located.gadgets, rule.tag_id) : null
  return {
    index,
    target: targetOf(gadget, site, tag),
    site,
    gadget,
    tag,
    action_id: rule.action_id ?? null,
    schedule: rule.schedule_id ? scheduleCell(located.places, rule.schedule_id) : null,
    needs_presence: rule.presence === 'gps',
    methods: methodsOf(rule),
    inherits: rule.member_group_id ? groupCell(groups, rule.member_group_id) : null,
  }
}

function targetOf(gadget: Gadget | null, site: Site | null, tag: Tag | null): Target {
  if (gadget !== null) return targetOfGadget(gadget.number)
  if (tag !== null) return tag.target
  return site === null ? everything : targetOfSite(site.number)
}
