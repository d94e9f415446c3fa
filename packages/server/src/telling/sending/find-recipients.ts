import type { AlarmRecipient } from '@gatehouse-access/api'
import type { AlarmSeverity } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { type Stored, settingsOf } from '../../services/push/notification-settings.ts'
import { ownRole, ownSignOut } from '../../services/roles/roles.ts'
import type { ZoneData } from '../../zones/zone-data.ts'
import { quietUntil } from '../quiet-hours.ts'

export type Channel = 'email' | 'ntfy' | 'http' | 'push'

/** One way to one recipient. */
export interface Way {
  readonly notification_target_id: string | null
  readonly user_id: string | null
  readonly channel: Channel
  /** Until when the recipient wants to hear of nothing that is not critical. */
  readonly quiet_until?: string | null
}

export interface Needs {
  readonly db: Database
  readonly zones: ZoneData
  readonly now: string
  /** Whether push can work at all. */
  readonly has_push: boolean
}

interface UserRow {
  readonly id: string
  readonly role: string
  /** Null for all of them. */
  readonly site_ids: readonly string[] | null
  readonly notification_settings: Stored | null
  readonly language: string | null
  readonly has_browser: boolean
}

interface Matter {
  readonly severity: AlarmSeverity
  readonly site_id: string | null
}

/**
 * Returns the ways to those whom rules name. Targets that are not verified, and users who have left, have none, nor have users whose
 * role is limited to other sites.
 */
export async function findRecipients(
  needs: Needs,
  organizationId: string,
  named: readonly AlarmRecipient[],
): Promise<(to: readonly AlarmRecipient[], matter: Matter) => Way[]> {
  const targets = await findTargets(needs.db, organizationId, named)
  const users = await findUsers(needs.db, organizationId, named)
  return (to, { severity, site_id }) =>
    to.flatMap(({ notification_target_id, user_id, role }) => {
      if (notification_target_id !== undefined) return targets.get(notification_target_id) ?? []
      if (role !== undefined) return users.filter(user => user.role === role).map(byMail)
      return users
        .filter(({ id, site_ids }) => id === user_id && (site_ids?.includes(site_id ?? '') ?? true))
        .flatMap(user => waysTo(needs, user, severity))
    })
}

async function findTargets(
  db: Database,
  organizationId: string,
  named: readonly AlarmRecipient[],
): Promise<Map<string, Way>> {
  const rows = await db.query<{ id: string; kind: Exclude<Channel, 'push'> }>(
    `SELECT id, kind FROM notification_targets
     WHERE organization_id = $1 AND id = ANY($2::text[]) AND is_verified AND NOT is_deleted`,
    [organizationId, named.flatMap(({ notification_target_id: id }) => id ?? [])],
  )
  return new Map(
    rows.map(({ id, kind }) => [id, { notification_target_id: id, user_id: null, channel: kind }]),
  )
}

function findUsers(
  db: Database,
  organizationId: string,
  named: readonly AlarmRecipient[],
): Promise<UserRow[]> {
  return db.query<UserRow>(
    `SELECT u.id, ${ownRole} AS role, m.site_ids, u.notification_settings, u.language,
       EXISTS (SELECT 1 FROM push_subscriptions p WHERE p.user_id = u.id
         AND (${ownSignOut} IS NULL OR p.created_at > ${ownSignOut})) AS has_browser
     FROM organization_users m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL
     WHERE m.organization_id = $1 AND (m.user_id = ANY($2::text[]) OR ${ownRole} = ANY($3::text[])) ORDER BY u.id LIMIT 1000`,
    [organizationId, named.flatMap(({ user_id }) => user_id ?? []), named.flatMap(({ role }) => role ?? [])],
  )
}

function byMail({ id }: UserRow): Way {
  return { notification_target_id: null, user_id: id, channel: 'email' }
}

/** As the user chose. Who wants pushed messages and has no browser for them gets a mail instead. */
function waysTo({ has_push, now, zones }: Needs, user: UserRow, severity: AlarmSeverity): Way[] {
  const { channels, quiet } = settingsOf(user)
  const chosen = channels[severity].map(channel =>
    channel === 'push' && !(has_push && user.has_browser) ? 'email' : channel,
  )
  const quiet_until =
    severity === 'critical' ? null : quietUntil(quiet, now, (zone, at) => zones.offsetAt(zone, at))
  return [...new Set(chosen)].map(channel => ({
    notification_target_id: null,
    user_id: user.id,
    channel,
    quiet_until,
  }))
}
