import { type GuestLanguage, resources } from '@gatehouse-access/api'
import { findBrand } from '../../mail/brand.ts'
import { composeMail } from '../../mail/compose-mail.ts'
import type { Mail } from '../../mail/mailer.ts'
import { findLiving } from '../../store/find.ts'
import { onOneLine } from '../../texts/fill-gaps.ts'
import { type GuestVoice, guestVoiceOf } from '../../texts/guest/language.ts'
import { localeOf } from '../../texts/locale.ts'
import { revealLink } from '../members/member-magic-links.ts'
import { revealPin } from '../members/member-pins.ts'
import type { Context } from '../objects/context.ts'
import { getHome } from './home.ts'

/** A letter in the send queue. */
export interface QueuedMail {
  readonly id: string
  readonly organization_id: string
  readonly member_id: string
  readonly member_email_id: string
  readonly language: GuestLanguage
  readonly attempts: number
  readonly kind: 'invitation' | 'data_export'
}

/** Writes the mail from the state at sending time. Returns undefined if the member or address is gone. */
export async function writeLetter(context: Context, mail: QueuedMail): Promise<Mail | undefined> {
  const to = await findAddress(context, mail)
  if (!to) return undefined
  return mail.kind === 'invitation' ? writeInvitation(context, mail, to) : tellOfData(context, mail, to)
}

/** Whoever has the mail has to sign in to see the data. */
async function tellOfData(context: Context, mail: QueuedMail, to: string): Promise<Mail> {
  const voice = guestVoiceOf(mail.language)
  const { name = '' } = (await findOrganization(context, mail)) ?? {}
  return composeMail({
    to,
    kind: 'guest_data_export',
    voice,
    subject: voice.say('mail_data_subject', { organization: name }),
    text: voice.say('mail_data_text', { organization: name, url: `${context.config.public_url}/guest` }),
    brand: await findBrand(context.db, mail.organization_id),
    own_url: context.config.public_url,
    codes: [],
  })
}

async function findOrganization({ db }: Context, { organization_id }: QueuedMail) {
  const [row] = await db.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ])
  return row
}

async function writeInvitation(context: Context, mail: QueuedMail, to: string): Promise<Mail> {
  const voice = guestVoiceOf(mail.language)
  const home = await getHome(context, {
    ...mail,
    session_id: null,
    is_member_deleted: false,
    is_credential_deleted: false,
    is_credential_suspended: false,
  })
  const { link, pin } = await findSecrets(context, mail)
  const parts = [
    voice.say('mail_access_intro', { organization: home.organization.name }),
    whenParagraph(context, voice, home),
    link
      ? voice.say('mail_access_link', { link })
      : voice.say('mail_access_sign_in', { url: `${context.config.public_url}/guest` }),
    pin ? voice.say('mail_access_pin', { pin }) : '',
    placeParagraph(voice, home.sites),
    voice.say('mail_access_warning'),
  ]
  return composeMail({
    to,
    kind: 'guest_invitation',
    voice,
    subject: voice.say('mail_access_subject', { organization: home.organization.name }),
    text: parts.filter(part => part !== '').join('\n\n'),
    brand: await findBrand(context.db, mail.organization_id),
    own_url: context.config.public_url,
    codes: pin ? [pin] : [],
  })
}

async function findAddress({ db }: Context, mail: QueuedMail): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `SELECT e.email FROM member_emails e JOIN members m ON m.organization_id = e.organization_id AND m.id = e.member_id
     JOIN organizations o ON o.id = e.organization_id
     WHERE e.organization_id = $1 AND e.id = $2 AND NOT e.is_deleted AND NOT m.is_deleted AND NOT o.is_deleted`,
    [mail.organization_id, mail.member_email_id],
  )
  return row?.email
}

type Home = Awaited<ReturnType<typeof getHome>>

function whenParagraph({ zones }: Context, voice: GuestVoice, { starts_at, ends_at, sites }: Home): string {
  // The clock at the site by the zone data of the service, not by that of Intl.
  const format = new Intl.DateTimeFormat(localeOf(voice.language), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const [site] = sites
  const offset = (at: string) => (site ? zones.offsetAt(site.timezone, at) : 0)
  const show = (at: string) => `${format.format(Date.parse(at) + offset(at) * 1000)}${site ? '' : ' UTC'}`
  const lines = [
    starts_at ? voice.say('mail_access_from', { from: show(starts_at) }) : '',
    ends_at ? voice.say('mail_access_until', { until: show(ends_at) }) : '',
  ]
  return lines.filter(line => line !== '').join('\n')
}

/** Returns the newest link and PIN. */
async function findSecrets(context: Context, mail: QueuedMail): Promise<{ link?: string; pin?: string }> {
  const reach = {
    organization_id: mail.organization_id,
    parent: { field: 'member_id', id: mail.member_id },
  }
  const [link] = await findLiving(context.db, resources.member_magic_link, reach, ['secret_ciphertext'])
  const [pin] = await findLiving(context.db, resources.member_pin, reach, ['pin_ciphertext'])
  return {
    ...(link && { link: revealLink(context, link) }),
    ...(pin && { pin: revealPin(context, pin) }),
  }
}

function placeParagraph(voice: GuestVoice, sites: Home['sites']): string {
  const lines = sites.slice(0, 3).map(site => {
    const contact = onOneLine([site.phone, site.email].filter(Boolean).join(', '))
    const address = onOneLine([site.name, site.map?.address].filter(Boolean).join(', '))
    return contact ? `${address}\n${voice.say('mail_access_contact', { contact })}` : address
  })
  return lines.join('\n\n')
}
