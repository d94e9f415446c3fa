import { type Stored, settingsOf } from '../../services/push/notification-settings.ts'
import { quietUntil } from '../quiet-hours.ts'
import type { MatterRow } from './find-matters.ts'
import type { Needs, Way } from './find-recipients.ts'

interface Told extends Way {
  readonly alarm_id: string
  readonly alarm_rule_id: string
  /** Those of a user, and null for targets. */
  readonly notification_settings: Stored | null
  readonly language: string | null
}

/**
 * Returns who was told of the beginning of alarms, and how. A notification that is not part of a message yet will tell
 * of the end too, and nobody needs a mail for the end of what is only for information. Users hear of ends in their quiet
 * hours as they do of beginnings: afterwards, unless it is critical.
 */
export async function findTold(
  { db, zones, now }: Pick<Needs, 'db' | 'zones' | 'now'>,
  organizationId: string,
  rows: readonly MatterRow[],
): Promise<(row: MatterRow) => Way[]> {
  if (rows.length === 0) return () => []
  const asked = rows.map(({ alarm_id, alarm_rule_id, told_since }) => ({
    alarm_id,
    alarm_rule_id,
    told_since,
  }))
  const told = await db.query<Told>(
    `SELECT DISTINCT n.alarm_id, n.alarm_rule_id, n.notification_target_id, n.user_id, n.channel, u.notification_settings, u.language
     FROM jsonb_to_recordset($2::jsonb) AS a(alarm_id text, alarm_rule_id text, told_since timestamptz)
     JOIN notifications n ON n.organization_id = $1 AND n.alarm_id = a.alarm_id AND n.alarm_rule_id = a.alarm_rule_id
     LEFT JOIN users u ON u.id = n.user_id
     WHERE n.created_at >= a.told_since AND n.reason <> 'ended' AND n.message_id IS NOT NULL AND n.status IN ('pending', 'succeeded')`,
    [organizationId, asked],
  )
  const byMatter = Map.groupBy(told, ({ alarm_id, alarm_rule_id }) => `${alarm_id} ${alarm_rule_id}`)
  return ({ alarm_id, alarm_rule_id, severity }) =>
    (byMatter.get(`${alarm_id} ${alarm_rule_id}`) ?? [])
      .filter(({ channel }) => severity !== 'info' || channel !== 'email')
      .map(({ notification_target_id, user_id, channel, ...user }) => {
        const quiet = severity === 'critical' ? null : settingsOf(user).quiet
        const quiet_until = quietUntil(quiet, now, (zone, at) => zones.offsetAt(zone, at))
        return { notification_target_id, user_id, channel, quiet_until }
      })
}
