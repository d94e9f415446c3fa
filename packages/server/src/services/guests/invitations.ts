import {
  invalid,
  nearestGuestLanguage,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'
import { findLiving } from '../../store/find.ts'
import { newId } from '../../store/ids.ts'
import { logHappening } from '../../store/write.ts'
import { countFreely, countSend, enoughMail } from '../mail/mail-codes.ts'
import type { InputOf } from '../objects/action.ts'
import type { Context, Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { type QueuedMail, writeLetter } from './letters.ts'

type Member = StoredOf<Resources['member']>
type Email = StoredOf<Resources['member_email']>

const mostAttempts = 6
const held = 300
const invitationsAnHour = 10
/** Invitations per hour to one address, from all organizations together. */
const mostForAddress = 30
const mostOfOrganization = 1000

/** `POST /members/{member_id}/invitations`: queues the mails with the event, to be sent after the commit. */
export async function inviteGuest({ work, target, id, readBody }: InputOf<'member', 'invite'>): Promise<Row> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const member = await getObject(inner, target, id)
    const { member_email_ids, language } = readBody()
    if (member.is_deleted) throw invalid('member_id', 'the member is deleted; restore it first')
    return queueInvitations(inner, member, member_email_ids, language)
  })
}

export async function queueInvitations(
  work: Work,
  member: Member,
  wanted?: readonly string[],
  given?: string | null,
): Promise<Row> {
  const emails = await findEmails(work, member, wanted)
  const language = nearestGuestLanguage(given ?? member.language)
  for (const email of emails) {
    await countInvitation(work, email)
    await queue(work, member, email, language)
    await logHappening(work, 'create', {
      type: 'invitation',
      member_id: member.id,
      member_email_id: email.id,
    })
  }
  return { member_email_ids: emails.map(({ id }) => id), language }
}

/**
 * Protects addresses from floods of mail. The per-organization limit is checked first, so that one
 * organization alone cannot use up the total of an address.
 */
async function countInvitation(work: Work, { email }: Email): Promise<void> {
  const { organization_id } = work.caller
  const address = email.toLowerCase()
  const counted = { ...work, vault: work.context.vault }
  if (!(await countFreely(work, `guests of ${organization_id}`, mostOfOrganization)))
    throw enoughMail(`an organization can send at most ${mostOfOrganization} invitations to members an hour`)
  if (!(await countSend(counted, `${organization_id} ${address}`, invitationsAnHour)))
    throw enoughMail(
      `an address can get at most ${invitationsAnHour} invitations an hour from one organization`,
    )
  if (!(await countSend(counted, `guest ${address}`, mostForAddress)))
    throw enoughMail(`an address can get at most ${mostForAddress} invitations an hour`)
}

async function findEmails(work: Work, member: Member, wanted?: readonly string[]): Promise<Email[]> {
  const reach = {
    organization_id: work.caller.organization_id,
    parent: { field: 'member_id', id: member.id },
  }
  const known = await findLiving(work.db, resources.member_email, reach)
  if (known.length === 0) throw invalid('member_id', 'the member has no email address; add one first')
  for (const [index, id] of (wanted ?? []).entries())
    if (!known.some(email => email.id === id))
      throw invalid(`member_email_ids.${index}`, `member_email_ids.${index}: the member has no such email`)
  return wanted ? known.filter(email => wanted.includes(email.id)) : known.slice(0, 20)
}

async function queue(
  { db, caller, now }: Work,
  member: Pick<Member, 'id'>,
  email: Email,
  language: string,
  kind: QueuedMail['kind'] = 'invitation',
): Promise<void> {
  await db.query(
    `INSERT INTO guest_mails (id, organization_id, member_id, member_email_id, language, attempts, created_at, due_at, kind)
     VALUES ($1, $2, $3, $4, $5, 0, $6, $6, $7)`,
    [newId('guest_mail', now), caller.organization_id, member.id, email.id, language, now, kind],
  )
}

/** Tells a member that the data they asked for is ready, if there is an address. */
export async function queueDataLetter(work: Work, member_id: string, language: string): Promise<void> {
  const parent = { field: 'member_id', id: member_id }
  const reach = { organization_id: work.caller.organization_id, parent }
  const [email] = await findLiving(work.db, resources.member_email, reach)
  if (email) await queue(work, { id: member_id }, email, language, 'data_export')
}

/**
 * Sends the mails that are due. Claiming a mail moves its due time before it is sent, so that no two
 * processes send it, and another one retries it if this one dies. An accepted mail is deleted from the queue.
 */
export async function sendInvitations(context: Context): Promise<void> {
  for (let mail = await claim(context); mail; mail = await claim(context)) await deliver(context, mail)
}

async function claim({ db, clock }: Context): Promise<QueuedMail | undefined> {
  const now = clock.now()
  const [mail] = await db.query<QueuedMail>(
    `UPDATE guest_mails SET attempts = attempts + 1, due_at = $2 WHERE id = (SELECT id FROM guest_mails WHERE due_at <= $1
       ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id, organization_id, member_id, member_email_id, language, attempts, kind`,
    [now, addSeconds(now, held)],
  )
  return mail
}

async function deliver(context: Context, mail: QueuedMail): Promise<void> {
  try {
    const letter = await writeLetter(context, mail)
    if (letter) await context.mailer.send(letter)
  } catch (error) {
    context.log.error(
      { err: error, guest_mail_id: mail.id, attempts: mail.attempts },
      'a letter to a member was not sent',
    )
    if (mail.attempts < mostAttempts) return
  }
  await context.db.query('DELETE FROM guest_mails WHERE id = $1', [mail.id])
}
