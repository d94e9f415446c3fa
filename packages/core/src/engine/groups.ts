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

/** Like those of places, a group is a fixed cell. Its rules lie where a gadget that they can match finds them. */
export interface Group {
  id: string
  number: number
  is_living: boolean
  everywhere: readonly Rule[]
  by_site: ReadonlyMap<Site, readonly Rule[]>
  by_gadget: ReadonlyMap<Gadget, readonly Rule[]>
  /** The groups that its rules inherit from, each once. */
  inherits: readonly Group[]
  /** The longest way down through inheritance; Infinity when there is a circle on the way. */
  depth: number
}

export interface Groups {
  by_id: Map<string, Group>
  by_number: Group[]
  /** A group's inheritance changed, so the depths have to be counted again. */
  are_depths_stale: boolean
}

const noRules: readonly Rule[] = []

export function createGroups(): Groups {
  return { by_id: new Map(), by_number: [], are_depths_stale: false }
}

export function putGroup(groups: Groups, places: Places, row: GroupRow): void {
  const group = groupCell(groups, row.id)
  const rules = row.permissions.map((rule, index) => compileRule(groups, places, rule, index))
  group.is_living = !row.is_deleted
  group.everywhere = rules.filter(rule => rule.gadget === null && rule.site === null)
  group.by_site = Map.groupBy(rules.filter(isForSite), rule => rule.site)
  group.by_gadget = Map.groupBy(rules.filter(isForGadget), rule => rule.gadget)
  const inherits = [...new Set(rules.flatMap(rule => rule.inherits ?? []))]
  if (inherits.length + group.inherits.length > 0) groups.are_depths_stale = true
  group.inherits = inherits
}

export function groupCell(groups: Groups, id: string): Group {
  return cell(groups.by_id, id, () => makeGroup(groups, id))
}

/** The rules that can match a gadget, in their own order. */
export function rulesFor(group: Group, gadget: Gadget): readonly Rule[] {
  const { everywhere } = group
  const forSite = group.by_site.get(gadget.site) ?? noRules
  const forGadget = group.by_gadget.get(gadget) ?? noRules
  if (forGadget.length + everywhere.length === 0) return forSite
  if (forSite.length + everywhere.length === 0) return forGadget
  return [...forGadget, ...forSite, ...everywhere].sort((a, b) => a.index - b.index)
}

function makeGroup({ by_number }: Groups, id: string): Group {
  const group = {
    id,
    number: by_number.length,
    is_living: false,
    everywhere: [],
    by_site: new Map(),
    by_gadget: new Map(),
    inherits: [],
    depth: 0,
  }
  by_number.push(group)
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

function isForGadget(rule: Rule): rule is Rule & { gadget: Gadget } {
  return rule.gadget !== null
}

function isForSite(rule: Rule): rule is Rule & { site: Site } {
  return rule.gadget === null && rule.site !== null
}
