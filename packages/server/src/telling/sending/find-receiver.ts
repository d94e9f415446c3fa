import { type AlarmSeverity, alarmSeverities } from '@gatehouse-access/core'
import type { HttpTarget } from '../../channels/http.ts'
import type { NtfyTarget } from '../../channels/ntfy.ts'
import { type Stored, settingsOf } from '../../services/push/notification-settings.ts'
import { ownRole, ownSignOut, type Role } from '../../services/roles/roles.ts'
import { type Language, languageOf } from '../../texts/language.ts'
import { sealedAs } from '../../vault/contexts.ts'
import type { Channel } from './find-recipients.ts'
import type { Needs } from './needs.ts'

/** Where a message goes, with the secrets that it takes, and the language to say it in. */
export type Receiver = { readonly language: Language } & (
  | { readonly channel: 'email'; readonly address: string }
  | ({ readonly channel: 'ntfy' } & NtfyTarget)
  | ({ readonly channel: 'http' } & HttpTarget)
  | PushReceiver
)

export interface PushReceiver {
  readonly channel: 'push'
  readonly user_id: string
  readonly role: Role
  /** Browsers from before are those of somebody who has not signed in since. */
  readonly signed_out_at: string | null
  readonly instead: Instead
}

/** The mail for a user whom no browser can tell, and the severities of which a mail is sent anyway. */
interface Instead {
  readonly address: string
  readonly mailed: readonly AlarmSeverity[]
}

interface Addressed {
  readonly notification_target_id: string | null
  readonly user_id: string | null
  readonly channel: Channel
}

/** Returns undefined if the target is deleted or not verified, or the user has left since. */
export function findReceiver(
  needs: Needs,
  organizationId: string,
  { channel, notification_target_id, user_id }: Addressed,
): Promise<Receiver | undefined> {
  if (notification_target_id !== null) return findTarget(needs, organizationId, notification_target_id)
  return findUser(needs, organizationId, user_id ?? '', channel)
}

interface TargetRow {
  readonly kind: 'email' | 'ntfy' | 'http'
  readonly address: string | null
  readonly url: string | null
  readonly topic: string | null
  readonly secret_ciphertext: Uint8Array | null
  readonly language: string | null
}

export async function findTarget(
  { db, vault }: Needs,
  organizationId: string,
  id: string,
): Promise<Receiver | undefined> {
  const [row] = await db.query<TargetRow>(
    `SELECT t.kind, t.address, t.url, t.topic, t.secret_ciphertext, u.language FROM notification_targets t
     LEFT JOIN users u ON u.email_key = lower(t.address) AND u.deleted_at IS NULL
     WHERE t.organization_id = $1 AND t.id = $2 AND t.is_verified AND NOT t.is_deleted`,
    [organizationId, id],
  )
  if (!row) return undefined
  const { kind, address, url, topic, secret_ciphertext } = row
  const language = languageOf(row.language)
  const secret = secret_ciphertext
    ? vault.decrypt(secret_ciphertext, sealedAs.notification_target(id))
    : undefined
  if (kind === 'email') return { language, channel: kind, address: address ?? '' }
  if (kind === 'http') return { language, channel: kind, url: url ?? '', secret: secret ?? '' }
  return { language, channel: kind, url: url ?? '', topic: topic ?? '', token: secret }
}

async function findUser(
  { db }: Needs,
  organizationId: string,
  user_id: string,
  channel: Channel,
): Promise<Receiver | undefined> {
  const [row] = await db.query<{
    email: string
    notification_settings: Stored | null
    language: string | null
    role: Role
    signed_out_at: string | null
  }>(
    `SELECT u.email, u.notification_settings, u.language, ${ownRole} AS role, ${ownSignOut} AS signed_out_at FROM organization_users m
     JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL WHERE m.organization_id = $1 AND m.user_id = $2`,
    [organizationId, user_id],
  )
  if (!row) return undefined
  const { language, channels } = settingsOf(row)
  const { email: address, role, signed_out_at } = row
  if (channel !== 'push') return { language, channel: 'email', address }
  const mailed = alarmSeverities.filter(severity => channels[severity].includes('email'))
  return { language, channel, user_id, role, signed_out_at, instead: { address, mailed } }
}
