import { findBrand } from '../../mail/brand.ts'
import { composeMail } from '../../mail/compose-mail.ts'
import { languageOf, voiceOf } from '../../texts/language.ts'
import type { DeliveryContext } from './context.ts'
import type { LaneKey } from './lanes.ts'

type Needs = Pick<DeliveryContext, 'db' | 'mailer' | 'config' | 'log'>

interface Developer {
  readonly email: string
  readonly application: string
  readonly organization: string
  readonly url: string
  readonly language: string | null
}

const kind = 'webhook_disabled'

/** Emails the developer of the application. A failed email is logged and not retried. */
export async function tellDeveloper(context: Needs, { organization_id, webhook_id }: LaneKey): Promise<void> {
  const developer = await findDeveloper(context, organization_id, webhook_id)
  if (!developer) return
  const { email, application, organization, url, language } = developer
  const voice = voiceOf(languageOf(language))
  // Only the host: the path and query may contain secrets of the receiver.
  const gaps = { application, organization, webhook_id, host: new URL(url).host }
  const own_url = context.config.public_url
  const text = voice.say('mail_webhook_disabled_text', { ...gaps, url: `${own_url}/account` })
  const subject = voice.say('mail_webhook_disabled_subject', gaps)
  const brand = await findBrand(context.db, organization_id)
  await context.mailer
    .send(composeMail({ to: email, kind, voice, subject, text, brand, own_url, tone: 'warning' }))
    .catch(error => context.log.error({ err: error, to: email, kind }, 'an email was not sent'))
}

/** Applications created on the command line have no developer. */
async function findDeveloper(
  { db }: Needs,
  organization_id: string,
  webhook_id: string,
): Promise<Developer | undefined> {
  const [row] = await db.query<Developer>(
    `SELECT u.email, coalesce(u.notification_settings->>'language', u.language) AS language, a.name AS application, o.name AS organization, w.url FROM webhooks w
     JOIN oauth_applications a ON a.id = w.oauth_application_id JOIN users u ON u.id = a.developer_id
     JOIN organizations o ON o.id = w.organization_id WHERE w.organization_id = $1 AND w.id = $2`,
    [organization_id, webhook_id],
  )
  return row
}
