import { type AlarmSeverity, type AlarmType, alarmSeverities } from '@gatehouse-access/core'
import type { Message } from '../../channels/message.ts'
import type { Language } from '../../texts/language.ts'
import type { Needs } from './needs.ts'
import type { Taken } from './take-messages.ts'

interface AlarmRow {
  readonly id: string
  readonly type: AlarmType
  readonly severity: AlarmSeverity
  readonly names: readonly string[]
  readonly started_at: string
  readonly ended_at: string | null
  readonly timezone: string | null
  /** How many alarms the message is about. */
  readonly alarm_count: number
}

const mostAlarms = 1000

/** Puts a message together from its alarms as they are now, the gravest first. */
export async function compose(
  { db, config, zones }: Needs,
  organization: Message['organization'],
  { message_id, reason }: Taken,
  language: Language,
): Promise<Message> {
  const rows = await db.query<AlarmRow>(
    `SELECT id, type, severity, names, started_at, ended_at, timezone, (count(*) OVER ())::integer AS alarm_count FROM (SELECT DISTINCT a.id, a.type, a.severity, array_remove(ARRAY[coalesce(g.name, d.name, c.name), s.name], NULL) AS names,
       a.last_occurred_at AS started_at, a.ended_at, s.timezone, array_position($3::text[], a.severity) AS rank
     FROM notifications n JOIN alarms a ON a.organization_id = $1 AND a.id = n.alarm_id
     LEFT JOIN gadgets g ON g.organization_id = $1 AND g.id = a.gadget_id
     LEFT JOIN devices d ON d.organization_id = $1 AND d.id = a.device_id
     LEFT JOIN sites s ON s.organization_id = $1 AND s.id = a.site_id
     LEFT JOIN calendars c ON c.organization_id = $1 AND c.id = a.calendar_id
     WHERE n.organization_id = $1 AND n.message_id = $2) told ORDER BY rank DESC, started_at, id LIMIT ${mostAlarms}`,
    [organization.id, message_id, alarmSeverities],
  )
  const alarms = rows.map(({ names, timezone, ...row }) => ({
    id: row.id,
    type: row.type,
    severity: row.severity,
    place: names.join(', ') || organization.name,
    started_at: row.started_at,
    ended_at: row.ended_at,
    utc_offset: timezone ? zones.offsetAt(timezone, row.started_at) : 0,
  }))
  const list = `${config.public_url}/o/${organization.id}/alarms`
  const url = alarms.length === 1 ? `${list}/${alarms[0]?.id}` : list
  const alarm_count = rows[0]?.alarm_count ?? 0
  return { id: message_id, organization, reason, alarms, alarm_count, language, url }
}
