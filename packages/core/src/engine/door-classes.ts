import { canConfirm, isWithin } from './distance.ts'
import type { Gadget, Tag } from './gadgets.ts'
import type { Group, Rule } from './groups.ts'
import type { Steps } from './steps.ts'

/** The gadgets, sites, tags and actions that the rules of some groups, and of all they inherit, name. */
export interface Naming {
  /** Whether a schedule has days of its own, so that sites differ by the calendars they observe. */
  has_days: boolean
  gadgets: Set<Gadget>
  site_ids: Set<string>
  tags: Set<Tag>
  action_ids: Set<string>
}

/** Visits all relevant rules once. The cost does not depend on the number of doors. */
export function* nameAll(groups: Iterable<Group>): Steps<Naming> {
  const naming: Naming = {
    has_days: false,
    gadgets: new Set(),
    site_ids: new Set(),
    tags: new Set(),
    action_ids: new Set(),
  }
  const lineage = new Set(groups)
  for (const group of lineage) {
    for (const parent of group.inherits) lineage.add(parent)
    for (const rule of group.rules) addNames(naming, rule)
    yield
  }
  return naming
}

function addNames(naming: Naming, { action_id, gadget, schedule, site, tag }: Rule): void {
  if (schedule !== null && schedule.days !== null) naming.has_days = true
  if (gadget !== null) naming.gadgets.add(gadget)
  if (site !== null) naming.site_ids.add(site.id)
  if (tag !== null) naming.tags.add(tag)
  if (action_id !== null) naming.action_ids.add(action_id)
}

/**
 * Gadget actions of one class get the same answer: no rule distinguishes them, and their sites have the same
 * time zone, the same special days where they matter, and the same ability to confirm a location. Each class is therefore computed once, however many
 * doors there are.
 */
export function classOf(naming: Naming, gadget: Gadget, action_id: string): string {
  const { days, geo, id, zone } = gadget.site
  const named = naming.gadgets.has(gadget) ? gadget.id : ''
  const site = naming.site_ids.has(id) ? id : ''
  const tags = gadget.tags.filter(tag => naming.tags.has(tag)).map(({ id }) => id)
  const action = naming.action_ids.has(action_id) ? action_id : ''
  const observed = naming.has_days ? days.key : ''
  return `${zone.name} ${observed} ${isWithin(geo, geo?.location ?? null)} ${canConfirm(geo)} ${site} ${named} ${tags.sort().join()} ${action}`
}
