import {
  choice,
  clearable,
  list,
  optional,
  required,
  type Shape,
  shape,
  text,
  timezone,
} from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { type Language, languageOf, userLanguages } from '../../texts/language.ts'

const channels = list(choice('push', 'email'), { max: 2, unique: true })
const minute = text(5, { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, expected: 'a time of day like 22:30' })

export const settingsParts = {
  channels: optional(
    shape({
      info: optional(channels, 'For information.'),
      warning: optional(channels, 'For warnings.'),
      critical: optional(channels, 'For critical alarms.'),
    }),
    'How the user is told of alarms, by severity. Only what is given changes.',
  ),
  quiet: clearable(
    shape({
      from: required(minute, 'When quiet begins.'),
      to: required(minute, 'When quiet ends; before `from` if that is the next day.'),
      zone: required(timezone, 'Whose clock counts.'),
    }),
    'When only critical alarms are told. Null: never quiet.',
  ),
  language: clearable(choice(...userLanguages), 'Null: that of the last sign-in.'),
}

type Channel = 'push' | 'email'

export interface NotificationSettings {
  readonly channels: {
    readonly info: readonly Channel[]
    readonly warning: readonly Channel[]
    readonly critical: readonly Channel[]
  }
  readonly quiet: { readonly from: string; readonly to: string; readonly zone: string } | null
  /** The language of what the user is told. */
  readonly language: Language
}

export type Stored = Omit<Partial<NotificationSettings>, 'language'> & { readonly language?: Language | null }

const usual = { info: [], warning: ['push'], critical: ['push', 'email'] } as const

export async function findSettings(db: Database, user_id: string): Promise<NotificationSettings> {
  const [row] = await db.query<{ notification_settings: Stored | null; language: string | null }>(
    'SELECT notification_settings, language FROM users WHERE id = $1',
    [user_id],
  )
  return settingsOf(row ?? { notification_settings: null, language: null })
}

/** What a user has chosen, and what is usual for the rest. */
export function settingsOf(user: {
  readonly notification_settings: Stored | null
  readonly language: string | null
}): NotificationSettings {
  const stored = user.notification_settings ?? {}
  return {
    channels: { ...usual, ...stored.channels },
    quiet: stored.quiet ?? null,
    language: stored.language ?? languageOf(user.language),
  }
}

/** Changes what is given, and leaves the rest as it is. */
export async function changeSettings(
  db: Database,
  user_id: string,
  { channels: given, ...others }: Shape<typeof settingsParts>,
): Promise<void> {
  await db.query(
    `UPDATE users SET notification_settings = coalesce(notification_settings, '{}') || $2::jsonb
       || jsonb_build_object('channels', coalesce(notification_settings->'channels', '{}') || $3::jsonb)
     WHERE id = $1`,
    [user_id, others, given ?? {}],
  )
}
