/**
 * A second implementation of the permission calculation, straight from the specification and without regard
 * to speed: rows instead of indexes, Temporal's wall clock instead of offsets, and every inheritance path
 * walked individually. It shares no code with the engine except the wire names.
 */
import type {
  AccessMethod,
  AssociationRow,
  GadgetRow,
  GroupRow,
  Location,
  MemberRow,
  PermissionRule,
  PolicyRows,
  Reason,
  ScheduleRow,
  SiteRow,
  Suspension,
  ZoneTable,
} from '../src/index.ts'

export interface OracleQuestion {
  member_id?: string
  credential_id?: string
  device_id?: string
  gadget_id: string
  action_id: string
  access_method?: AccessMethod
  at: string
  location?: Location | null
}

export const reasonOrder: Reason[] = [
  'unknown_credential',
  'credential_deleted',
  'gadget_deleted',
  'member_deleted',
  'member_not_started',
  'member_ended',
  'member_suspended',
  'credential_suspended',
  'device_suspended',
  'no_association',
  'association_not_started',
  'association_ended',
  'group_deleted',
  'no_matching_rule',
  'method_not_allowed',
  'outside_schedule',
  'not_present',
]

/** Rows, and the tables that rule over the runtime's zone data. */
export type OracleRows = PolicyRows & { zones?: Record<string, ZoneTable> }

/** Returns the reason for the denial; null when allowed. */
export function judge(rows: OracleRows, question: OracleQuestion): Reason | null {
  const credential = rows.credentials.find(({ id }) => id === question.credential_id)
  if (question.credential_id !== undefined && !credential) return 'unknown_credential'
  const member = rows.members.find(
    ({ id }) => id === (credential ? credential.member_id : question.member_id),
  )
  if (!member) return 'unknown_credential'
  if (credential?.is_deleted) return 'credential_deleted'
  const gadget = rows.gadgets.find(({ id }) => id === question.gadget_id)
  if (!gadget || !isAlive(rows, gadget)) return 'gadget_deleted'
  return judgeMember(rows, question, member, gadget)
}

function isAlive(rows: OracleRows, gadget: GadgetRow): boolean {
  const device = rows.devices.find(({ id }) => id === gadget.device_id)
  const site = rows.sites.find(({ id }) => id === gadget.site_id)
  return !gadget.is_deleted && device?.is_deleted === false && site?.is_deleted === false
}

function judgeMember(
  rows: OracleRows,
  question: OracleQuestion,
  member: MemberRow,
  gadget: GadgetRow,
): Reason | null {
  if (member.is_deleted) return 'member_deleted'
  if (member.starts_at != null && question.at < member.starts_at) return 'member_not_started'
  if (member.ends_at != null && question.at >= member.ends_at) return 'member_ended'
  const suspension = gadget.door?.exit_action_ids?.includes(question.action_id)
    ? null
    : judgeSuspensions(rows, question, member, gadget)
  if (suspension !== null) return suspension
  const own = rows.associations.filter(({ member_id, is_deleted }) => member_id === member.id && !is_deleted)
  return furthest(
    'no_association',
    own.map(association => judgeAssociation(rows, question, association, gadget)),
  )
}

function judgeSuspensions(
  rows: OracleRows,
  question: OracleQuestion,
  member: MemberRow,
  gadget: GadgetRow,
): Reason | null {
  const credential = rows.credentials.find(({ id }) => id === question.credential_id)
  const device = rows.devices.find(({ id }) => id === (question.device_id ?? gadget.device_id))
  if (isSuspended(member, question.at)) return 'member_suspended'
  if (isSuspended(credential, question.at)) return 'credential_suspended'
  const isAtDevice = methodOf(rows, question) !== 'online'
  return isAtDevice && isSuspended(device, question.at) ? 'device_suspended' : null
}

function isSuspended(row: Suspension | undefined, at: string): boolean {
  return row?.is_suspended === true && (row.suspended_until == null || at < row.suspended_until)
}

function judgeAssociation(
  rows: OracleRows,
  question: OracleQuestion,
  association: AssociationRow,
  gadget: GadgetRow,
): Reason | null {
  if (association.starts_at != null && question.at < association.starts_at) return 'association_not_started'
  if (association.ends_at != null && question.at >= association.ends_at) return 'association_ended'
  const group = rows.groups.find(({ id }) => id === association.member_group_id)
  if (!group || group.is_deleted) return 'group_deleted'
  return furthest(
    'no_matching_rule',
    pathsThrough(rows, group).map(path => judgePath(rows, question, path, gadget)),
  )
}

/** Returns every path from a rule of the group to a rule that inherits no further. */
function pathsThrough(rows: OracleRows, group: GroupRow): PermissionRule[][] {
  return group.permissions.flatMap(rule => {
    if (!rule.member_group_id) return [[rule]]
    const parent = rows.groups.find(({ id }) => id === rule.member_group_id)
    if (!parent || parent.is_deleted || leadsIntoCircle(rows, parent, [])) return []
    return pathsThrough(rows, parent).map(path => [rule, ...path])
  })
}

function leadsIntoCircle(rows: OracleRows, group: GroupRow, way: string[]): boolean {
  if (way.includes(group.id)) return true
  return group.permissions.some(rule => {
    const parent = rows.groups.find(({ id }) => id === rule.member_group_id)
    return parent !== undefined && leadsIntoCircle(rows, parent, [...way, group.id])
  })
}

/** Every rule of a path must pass. The conditions are checked in order. */
function judgePath(
  rows: OracleRows,
  question: OracleQuestion,
  path: PermissionRule[],
  gadget: GadgetRow,
): Reason | null {
  if (!path.every(rule => targets(rows, rule, gadget, question.action_id))) return 'no_matching_rule'
  const method = methodOf(rows, question)
  if (!path.every(rule => !rule.access_methods || rule.access_methods[method] === true))
    return 'method_not_allowed'
  if (!path.every(rule => isOpen(rows, rule, gadget, question.at))) return 'outside_schedule'
  if (!path.every(rule => rule.presence !== 'gps' || isPresent(rows, gadget, question))) return 'not_present'
  return null
}

/** The default: a PIN or card is used at the door, everything else online. */
function methodOf(rows: OracleRows, question: OracleQuestion): AccessMethod {
  const kind = rows.credentials.find(({ id }) => id === question.credential_id)?.kind
  return question.access_method ?? (kind === 'pin' || kind === 'card' ? kind : 'online')
}

function targets(rows: OracleRows, rule: PermissionRule, gadget: GadgetRow, action_id: string): boolean {
  if (!gadget.actions.some(({ id }) => id === action_id)) return false
  if (rule.site_id && rule.site_id !== gadget.site_id) return false
  if (rule.gadget_id && rule.gadget_id !== gadget.id) return false
  if (rule.tag_id && !rule.gadget_id && !gadget.tag_ids?.includes(rule.tag_id)) return false
  if (rule.action_id && rule.action_id !== action_id) return false
  if (!rule.schedule_id) return true
  return rows.schedules.find(({ id }) => id === rule.schedule_id)?.is_deleted === false
}

function isOpen(rows: OracleRows, rule: PermissionRule, gadget: GadgetRow, at: string): boolean {
  if (!rule.schedule_id) return true
  const site = rows.sites.find(({ id }) => id === gadget.site_id)
  const schedule = rows.schedules.find(({ id }) => id === rule.schedule_id)
  const local = site && wallClockAt(rows, site.timezone, at)
  if (!site || !schedule || !local) return false
  const seconds = local.hour * 3600 + local.minute * 60 + local.second
  const ranges = rangesOn(rows, schedule, site, local.toPlainDate())
  return ranges.some(({ start, end }) => start <= seconds && seconds < end)
}

/** Returns the wall clock of a zone: by its table, and where that ends by the runtime; undefined if unknown. */
export function wallClockAt(rows: OracleRows, zone: string, at: string): Temporal.PlainDateTime | undefined {
  const instant = Temporal.Instant.from(at)
  const seconds = tableOffset(rows.zones?.[zone], instant)
  if (seconds !== undefined) return utcPlus(instant, seconds)
  if (isKnownZone(zone)) return instant.toZonedDateTimeISO(zone).toPlainDateTime()
  const nearest = nearestOffset(rows.zones?.[zone], instant)
  return nearest === undefined ? undefined : utcPlus(instant, nearest)
}

function utcPlus(instant: Temporal.Instant, seconds: number): Temporal.PlainDateTime {
  return instant.toZonedDateTimeISO('UTC').toPlainDateTime().add({ seconds })
}

/** A zone that only a table knows keeps the table's first offset before it, and the last after it. */
function nearestOffset(table: ZoneTable | undefined, at: Temporal.Instant): number | undefined {
  if (!table || isBefore(at, table.from)) return table?.offset
  return table.changes.at(-1)?.offset ?? table.offset
}

function tableOffset(table: ZoneTable | undefined, at: Temporal.Instant): number | undefined {
  if (!table || isBefore(at, table.from) || !isBefore(at, table.until)) return undefined
  return table.changes.findLast(change => !isBefore(at, change.at))?.offset ?? table.offset
}

function isBefore(at: Temporal.Instant, other: string): boolean {
  return Temporal.Instant.compare(at, Temporal.Instant.from(other)) < 0
}

/** Returns the times of a schedule on a local date: by exception, else by kind, else by weekday. */
export function rangesOn(
  rows: OracleRows,
  schedule: ScheduleRow,
  site: SiteRow,
  date: Temporal.PlainDate,
): readonly { start: number; end: number }[] {
  const text = date.toString()
  const exception = schedule.exceptions?.find(
    ({ starts_on, ends_on }) => starts_on <= text && text <= (ends_on ?? starts_on),
  )
  if (exception) return exception.ranges
  const kinds = kindsOn(rows, site, date)
  const isUnknown = site.days_until != null && text > site.days_until
  const [first] = schedule.special_days ?? []
  if (isUnknown && first) return kinds.includes(first.kind) ? first.ranges : []
  const special = schedule.special_days?.find(({ kind }) => kinds.includes(kind))
  return special?.ranges ?? schedule.weekdays[date.dayOfWeek - 1]?.ranges ?? []
}

interface OracleDay {
  kind: string
  from: string
  to: string
  yearly: boolean
}

function kindsOn(rows: OracleRows, site: SiteRow, date: Temporal.PlainDate): string[] {
  const isUnknown = site.days_until != null && date.toString() > site.days_until
  const known = daysOf(rows, site).filter(day => day.yearly || !isUnknown)
  return known.filter(day => covers(day, date)).map(({ kind }) => kind)
}

function daysOf(rows: OracleRows, site: SiteRow): OracleDay[] {
  if (site.days) return site.days.map(day => ({ ...day, yearly: day.yearly ?? false }))
  const living = rows.calendars?.filter(
    ({ id, is_deleted }) => !is_deleted && site.calendar_ids?.includes(id),
  )
  const days = rows.calendar_days?.filter(
    day => !day.is_deleted && living?.some(({ id }) => id === day.calendar_id),
  )
  return (days ?? []).map(({ kind, starts_on, ends_on, recurrence }) => ({
    kind,
    from: starts_on,
    to: ends_on ?? starts_on,
    yearly: recurrence === 'yearly',
  }))
}

/**
 * A yearly stretch goes from the month and day of its start to those of its end, every year from its start on.
 * As text, month and day compare as they follow each other in a year.
 */
function covers({ from, to, yearly }: OracleDay, date: Temporal.PlainDate): boolean {
  const text = date.toString()
  if (!yearly || text < from) return from <= text && text <= to
  const [first, last, own] = [from.slice(5), to.slice(5), text.slice(5)]
  const isWholeYear = Temporal.PlainDate.from(from).until(to).days >= 365
  if (isWholeYear) return true
  return first <= last ? first <= own && own <= last : own >= first || own <= last
}

/** Looking up a zone is slow, and there are few zones. */
const zones = new Map<string, boolean>()

export function isKnownZone(zone = ''): boolean {
  const is_known = zones.get(zone) ?? knowsZone(zone)
  zones.set(zone, is_known)
  return is_known
}

function knowsZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null
  } catch {
    return false
  }
}

function isPresent(rows: OracleRows, gadget: GadgetRow, question: OracleQuestion): boolean {
  if (methodOf(rows, question) !== 'online') return true
  const geo = rows.sites.find(({ id }) => id === gadget.site_id)?.geo
  if (!geo?.location || geo.radius == null || !question.location) return false
  return metersBetween(geo.location, question.location) <= geo.radius
}

/** Uses the angle between the two directions from the center of the earth. */
function metersBetween(a: Location, b: Location): number {
  const [ax, ay, az] = direction(a)
  const [bx, by, bz] = direction(b)
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
  return 6_371_008.8 * Math.atan2(cross, ax * bx + ay * by + az * bz)
}

function direction({ lat, lng }: Location): [number, number, number] {
  const phi = (lat * Math.PI) / 180
  const lambda = (lng * Math.PI) / 180
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

function furthest(least: Reason, verdicts: (Reason | null)[]): Reason | null {
  if (verdicts.includes(null)) return null
  const places = verdicts.map(reason => reasonOrder.indexOf(reason as Reason))
  return reasonOrder[Math.max(reasonOrder.indexOf(least), ...places)] as Reason
}
