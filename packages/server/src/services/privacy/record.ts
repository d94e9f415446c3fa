import { type PrivacyRecord, type Purpose, purposes } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { periodsInForce } from './periods.ts'
import { listProcessing } from './processing.ts'

type Recipient = PrivacyRecord['recipients'][number]
const mostRecipients = 1000

/** `GET /organization/privacy_record`: the record of processing activities of an organization. */
export async function showRecord({
  work,
  target,
  id,
}: InputOf<'organization', 'privacy_record'>): Promise<PrivacyRecord> {
  const organization = await getObject(work, target, id)
  const recipients = await listRecipients(work)
  return {
    organization: organization.name,
    made_at: work.now,
    purposes: (Object.keys(purposes) as Purpose[]).map(purpose => ({ purpose, about: purposes[purpose] })),
    data: listProcessing(),
    recipients: recipients.slice(0, mostRecipients),
    recipients_cut: recipients.length > mostRecipients,
    periods: periodsInForce(organization, work.now),
    pending: isPending(organization.privacy_pending, work.now) ? organization.privacy_pending : null,
  }
}

function isPending(pending: { takes_effect_at: string } | null, now: string): boolean {
  return pending !== null && now < pending.takes_effect_at
}

async function listRecipients({ db, caller, context }: Work): Promise<Recipient[]> {
  const { smtp_url } = context.config
  const mail: Recipient[] = smtp_url ? [{ kind: 'mail', name: new URL(smtp_url).hostname, count: 1 }] : []
  return [...mail, ...(await findRecipients(db, caller.organization_id))]
}

/** Of addresses only the host: a path may be a secret. */
const host = `substring(url from '^[a-z]+://(?:[^/@]*@)?([^/:?#]+)')`

function findRecipients(db: Database, organization_id: string): Promise<Recipient[]> {
  return db.query<Recipient>(
    `SELECT kind, name, count(*)::integer AS count FROM (
       SELECT 'device' AS kind, product_id AS name FROM devices WHERE organization_id = $1 AND NOT is_deleted AND hardware_id IS NOT NULL
       UNION ALL SELECT 'webhook', ${host} FROM webhooks WHERE organization_id = $1 AND NOT is_deleted
       UNION ALL SELECT 'application', a.name FROM installations i JOIN oauth_applications a ON a.id = i.oauth_application_id
         WHERE i.organization_id = $1 AND NOT a.is_deleted
       UNION ALL SELECT 'notification_target', coalesce(${host}, kind) FROM notification_targets
         WHERE organization_id = $1 AND NOT is_deleted) r
     GROUP BY kind, name ORDER BY kind, name LIMIT ${mostRecipients + 1}`,
    [organization_id],
  )
}
