import type { JournalEvent, JournalEvents } from '@gatehouse-access/api'
import { type DecidedRule, type PermissionRule, termsOfRow, type Weekday } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { isAfterMoment } from '../../database/moment.ts'

type Denial = JournalEvents['denial']

interface KnownGroup {
  readonly id: string
  readonly permissions: readonly PermissionRule[]
  readonly applied_at: string
}

interface KnownSchedule {
  readonly id: string
  readonly weekdays: readonly Weekday[]
}

/** Returns the rules that decided; undefined if they are not known any more. */
export type RulesThen = (denial: Denial, at: string) => DecidedRule[] | undefined

const most = 5
const unknown: RulesThen = () => undefined

/**
 * Finds the rules of denials of older controllers, which name them only by group and index: those of today, if the
 * device has applied no other edition of its slice since it denied, and nobody has changed them since that edition.
 */
export async function findRulesThen(
  db: Database,
  organizationId: string,
  deviceId: string,
  events: readonly JournalEvent[],
): Promise<RulesThen> {
  const silent = events.filter(event => event.type === 'denial' && !event.decided_by)
  const named = (silent as readonly Denial[]).flatMap(decisive)
  if (named.length === 0) return unknown
  const groupIds = [...new Set(named.map(rule => rule.member_group_id))]
  const groups = await db.query<KnownGroup>(
    `SELECT g.id, g.permissions, p.applied_at FROM device_policies p JOIN member_groups g ON g.organization_id = p.organization_id AND g.id = ANY($3::text[])
     WHERE p.organization_id = $1 AND p.device_id = $2 AND p.applied_at IS NOT NULL AND p.applied_snapshot IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.organization_id = $1 AND (e.object->>'type') = 'member_group' AND (e.object->>'member_group_id') = g.id
         AND e.touches_policy AND ${isAfterMoment('p.applied_epoch', 'p.applied_snapshot')})`,
    [organizationId, deviceId, groupIds],
  )
  const ids = new Set(groups.flatMap(group => group.permissions.flatMap(rule => rule.schedule_id ?? [])))
  const schedules = await db.query<KnownSchedule>(
    `SELECT s.id, s.weekdays FROM device_policies p JOIN schedules s ON s.organization_id = p.organization_id AND s.id = ANY($3::text[])
     WHERE p.organization_id = $1 AND p.device_id = $2 AND p.applied_snapshot IS NOT NULL AND NOT s.is_deleted
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.organization_id = $1 AND (e.object->>'type') = 'schedule' AND (e.object->>'schedule_id') = s.id
         AND e.touches_policy AND ${isAfterMoment('p.applied_epoch', 'p.applied_snapshot')})`,
    [organizationId, deviceId, [...ids]],
  )
  return rulesOf(new Map(groups.map(row => [row.id, row])), new Map(schedules.map(row => [row.id, row])))
}

function rulesOf(
  groups: ReadonlyMap<string, KnownGroup>,
  schedules: ReadonlyMap<string, KnownSchedule>,
): RulesThen {
  return (denial, at) => {
    const tried = decisive(denial)
    const rules = tried.flatMap(({ member_group_id, rule_index }) => {
      const group = groups.get(member_group_id)
      const rule = group && group.applied_at <= at ? group.permissions[rule_index ?? -1] : undefined
      const schedule = schedules.get(rule?.schedule_id ?? '')
      if (!rule || (rule.schedule_id && !schedule)) return []
      return [{ member_group_id, rule_index: rule_index ?? 0, ...termsOfRow(rule, schedule) }]
    })
    return tried.length > 0 && rules.length === tried.length ? rules : undefined
  }
}

/** On a day that is not as its weekday, the times are not known. */
function decisive({ reason, rules }: Denial): NonNullable<Denial['rules']> {
  const tried = rules?.filter(
    ({ failed, rule_index, schedule_day }) =>
      failed === reason && rule_index != null && (schedule_day?.source ?? 'weekday') === 'weekday',
  )
  return tried?.slice(0, most) ?? []
}
