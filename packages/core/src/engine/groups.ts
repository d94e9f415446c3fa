import { grow } from './id-column.ts'
import { methodsOf } from './methods.ts'
import {
  cell,
  type Gadget,
  gadgetCell,
  type Places,
  type Schedule,
  type Site,
  scheduleCell,
  siteCell,
} from './places.ts'
import type { GroupRow, PermissionRule } from './policy-rows.ts'

export interface Rule {
  index: number
  site: Site | null
  gadget: Gadget | null
  action_id: string | null
  schedule: Schedule | null
  needs_presence: boolean
  /** One bit per access method. */
  methods: number
  inherits: Group | null
}

/** What a rule is about: one gadget, one site, or everything. */
type Target = Gadget | Site | null

/** Like those of places, a group is a fixed cell. */
export interface Group {
  /** The target of each rule: few are looked through faster than looked up. */
  targets: readonly Target[]
  /** Where they are many, the rules of each target. */
  by_target: ReadonlyMap<Target, readonly Rule[]> | null
  rules: readonly Rule[]
  number: number
  is_living: boolean
  id: string
  /** The groups that its rules inherit from, each once. */
  inherits: readonly Group[]
  /** The longest way down through inheritance; Infinity when there is a circle on the way. */
  depth: number
}

export interface Groups {
  by_id: Map<string, Group>
  by_number: Group[]
  /**
   * By number, the bits of all targets of a group, and `livingBit`. Most groups have no rule for a gadget, and one
   * word tells so: all words of an organization stay in the cache, where all groups would not.
   */
  filters: Uint32Array
  /** A group's inheritance changed, so the depths have to be counted again. */
  are_depths_stale: boolean
}

export const livingBit = 2 ** 31
const everyTarget = 2 ** 31 - 1
const manyRules = 16
const noRules: readonly Rule[] = []

export function createGroups(): Groups {
  return { by_id: new Map(), by_number: [], filters: new Uint32Array(), are_depths_stale: false }
}

export function putGroup(groups: Groups, places: Places, row: GroupRow): void {
  const group = groupCell(groups, row.id)
  const rules = row.permissions.map((rule, index) => compileRule(groups, places, rule, index))
  const inherits = [...new Set(rules.flatMap(rule => rule.inherits ?? []))]
  if (inherits.length + group.inherits.length > 0) groups.are_depths_stale = true
  group.is_living = !row.is_deleted
  group.rules = rules
  group.targets = rules.map(targetOf)
  group.by_target = rules.length > manyRules ? Map.groupBy(rules, targetOf) : null
  group.inherits = inherits
  groups.filters[group.number] = filterOf(group)
}

export function groupCell(groups: Groups, id: string): Group {
  return cell(groups.by_id, id, () => makeGroup(groups, id))
}

/** The rules that can match a gadget, in their own order. */
export function rulesFor(group: Group, gadget: Gadget): readonly Rule[] {
  if (group.by_target === null)
    return group.rules.filter((_, index) => covers(group.targets[index] ?? null, gadget))
  const lists = [gadget, gadget.site, null].flatMap(target => rulesOfTarget(group.by_target, target))
  return lists.sort((a, b) => a.index - b.index)
}

export function covers(target: Target, gadget: Gadget): boolean {
  return target === null || target === gadget || target === gadget.site
}

export function rulesOfTarget(byTarget: Group['by_target'], target: Target): readonly Rule[] {
  return byTarget?.get(target) ?? noRules
}

function targetOf(rule: Rule): Target {
  return rule.gadget ?? rule.site
}

function filterOf({ is_living, targets }: Group): number {
  const bits = targets.map(target => (target === null ? everyTarget : target.target_bit))
  return (is_living ? livingBit : 0) | bits.reduce((all, bit) => all | bit, 0)
}

function makeGroup(groups: Groups, id: string): Group {
  const number = groups.by_number.length
  const group: Group = {
    targets: [],
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

function compileRule(groups: Groups, places: Places, rule: PermissionRule, index: number): Rule {
  return {
    index,
    site: rule.site_id ? siteCell(places, rule.site_id) : null,
    gadget: rule.gadget_id ? gadgetCell(places, rule.gadget_id) : null,
    action_id: rule.action_id ?? null,
    schedule: rule.schedule_id ? scheduleCell(places, rule.schedule_id) : null,
    needs_presence: rule.presence === 'gps',
    methods: methodsOf(rule),
    inherits: rule.member_group_id ? groupCell(groups, rule.member_group_id) : null,
  }
}
