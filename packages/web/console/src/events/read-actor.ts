import type { Client } from '@gatehouse-access/sdk'
import { t } from '../language/t.ts'
import type { LiveEvent } from '../live/stream.ts'

export interface Actor {
  readonly user_id?: string | null
  readonly oauth_application_id?: string | null
}

/**
 * Returns the name of whoever acted. It is read from an event of theirs, because no list has users who were removed,
 * deauthorized applications and API keys.
 */
export async function readActor(client: Client, { user_id, oauth_application_id }: Actor): Promise<string> {
  const by = user_id
    ? { 'subject.user_id': user_id }
    : oauth_application_id && { 'subject.oauth_application_id': oauth_application_id }
  if (!by) return t('Gatehouse')
  const expand = ['subject_user', 'subject_oauth_application']
  const { data } = await client.events.list<Pick<LiveEvent, 'subject_user' | 'subject_oauth_application'>>({
    ...by,
    limit: 1,
    expand,
  })
  const { subject_user, subject_oauth_application } = data[0] ?? {}
  if (user_id) return subject_user?.name || subject_user?.email || t('A user')
  return subject_oauth_application?.name || t('An application')
}
