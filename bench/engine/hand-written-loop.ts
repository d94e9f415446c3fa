import type {
  MemberRow,
  PermissionRule,
  PolicyRows,
  Question,
  ScheduleRow,
  SiteRow,
} from '../../packages/core/src/index.ts'
import { greatCircleDistance, toMicroseconds } from '../../packages/core/src/index.ts'

/**
 * The upper bound: hand-written code for exactly these questions, on prepared objects. It returns only yes or
 * no, without a reason, and supports neither inheritance nor deleted objects.
 */
export interface ReadyRule {
  rule: PermissionRule
  gadget: ReadyGadget | undefined
  site: ReadySite | undefined
  schedule: ScheduleRow | undefined
}

export interface ReadyMember {
  starts: number
  ends: number
  groups: { starts: number; ends: number; rules: ReadyRule[] }[]
}

export interface ReadySite {
  site: SiteRow
  from: number
  until: number
  offset: number
}

export interface ReadyGadget {
  id: string
  site: ReadySite
}

export interface Ready {
  members: Map<string, ReadyMember>
  gadgets: Map<string, ReadyGadget>
  /** By group id. */
  rules: Map<string, ReadyRule[]>
}

export function prepareLoop(rows: PolicyRows): (question: Question) => boolean {
  const { members, gadgets } = prepareObjects(rows)
  return question => {
    const member = members.get(question.member_id ?? '')
    const gadget = gadgets.get(question.gadget_id)
    if (!member || !gadget || question.at < member.starts || question.at >= member.ends) return false
    for (const group of member.groups) {
      if (question.at < group.starts || question.at >= group.ends) continue
      for (const rule of group.rules) if (passes(rule, gadget, question)) return true
    }
    return false
  }
}

export function prepareObjects(rows: PolicyRows): Ready {
  const sites = new Map(rows.sites.map(site => [site.id, { site, from: 0, until: 0, offset: 0 }]))
  const gadgets = new Map(
    rows.gadgets.map(({ id, site_id }) => [id, { id, site: sites.get(site_id) as ReadySite }]),
  )
  const schedules = new Map(rows.schedules.map(schedule => [schedule.id, schedule]))
  const readyRule = (rule: PermissionRule): ReadyRule => ({
    rule,
    gadget: gadgets.get(rule.gadget_id ?? ''),
    site: sites.get(rule.site_id ?? ''),
    schedule: schedules.get(rule.schedule_id ?? ''),
  })
  const rules = new Map(rows.groups.map(group => [group.id, group.permissions.map(readyRule)]))
  return { members: readyMembers(rows, rules), gadgets, rules }
}

export function passes(
  { gadget: only, rule, schedule, site }: ReadyRule,
  gadget: ReadyGadget,
  question: Question,
): boolean {
  if (only && only !== gadget) return false
  if (site && site !== gadget.site) return false
  if (rule.action_id && rule.action_id !== question.action_id) return false
  if (rule.access_methods && !rule.access_methods[question.access_method ?? 'online']) return false
  if (schedule && !isOpen(schedule, gadget.site, question.at)) return false
  if (rule.presence !== 'gps' || question.access_method !== 'online') return true
  const { geo } = gadget.site.site
  if (!geo?.location || !geo.radius || !question.location) return false
  return greatCircleDistance(geo.location, question.location) <= geo.radius
}

export function isOpen(schedule: ScheduleRow, site: ReadySite, at: number): boolean {
  if (at < site.from || at >= site.until) readOffset(site, at)
  const seconds = Math.floor((at + site.offset) / 1_000_000)
  const days = Math.floor(seconds / 86_400)
  const ranges = schedule.weekdays[(((days + 3) % 7) + 7) % 7]?.ranges ?? []
  const second = seconds - days * 86_400
  for (const range of ranges) if (range.start <= second && second < range.end) return true
  return false
}

function readOffset(site: ReadySite, at: number): void {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(at / 1000)).toZonedDateTimeISO(
    site.site.timezone,
  )
  site.offset = local.offsetNanoseconds / 1000
  site.from = (local.getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity) * 1000
  site.until = (local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity) * 1000
}

function readyMembers(rows: PolicyRows, rules: Map<string, ReadyRule[]>): Map<string, ReadyMember> {
  const associations = Map.groupBy(rows.associations, ({ member_id }) => member_id)
  const readyMember = ({ id, starts_at, ends_at }: MemberRow): ReadyMember => ({
    ...period(starts_at, ends_at),
    groups: (associations.get(id) ?? []).map(association => ({
      ...period(association.starts_at, association.ends_at),
      rules: rules.get(association.member_group_id) ?? [],
    })),
  })
  return new Map(rows.members.map(member => [member.id, readyMember(member)]))
}

function period(starts_at: string | null = null, ends_at: string | null = null) {
  return {
    starts: starts_at === null ? -Infinity : toMicroseconds(starts_at),
    ends: ends_at === null ? Infinity : toMicroseconds(ends_at),
  }
}
