import { timingSafeEqual } from 'node:crypto'
import { RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { findBrand } from '../../mail/brand.ts'
import { composeMail } from '../../mail/compose-mail.ts'
import { type Brand, ownBrand } from '../../mail/letter.ts'
import { chooseGuestLanguage, guestVoiceOf } from '../../texts/guest/language.ts'
import { digest, newSecret } from '../../vault/vault.ts'
import { countFailure, findDelay, forgetFailures } from '../accounts/lock-out.ts'
import { makeCode, takeCode } from '../mail/mail-codes.ts'
import { magicLinkSecret } from '../members/member-magic-links.ts'
import type { Context } from '../objects/context.ts'
import { memberGone } from './gone.ts'
import { type Credential, credentialSuspended } from './sessions.ts'

const lifetime = 600
const linkIdLength = 'mml_'.length + 20

/** A member and the credential that was presented for it. */
export type Holder = { readonly organization_id: string; readonly member_id: string } & Credential

export interface Choice {
  readonly member_id: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly starts_at: string | null
  readonly ends_at: string | null
}

interface ShownLink {
  readonly id: string
  readonly member_magic_link_id: string
  readonly organization_id: string
  readonly member_id: string
  readonly secret_ciphertext: Uint8Array
  readonly is_deleted: boolean
  readonly is_suspended: boolean
  readonly is_member_deleted: boolean
  readonly member_ends_at: string | null
}

/** Returns the member of a link. Delays and logs wrong links. Tells the holder if the member is deleted. */
export async function enterByLink(context: Context, given: string, address: string): Promise<Holder> {
  const id = given.slice(0, linkIdLength)
  await refuseWhileDelayed(context, `link ${id}`, address)
  const [row] = await context.db.query<ShownLink>(
    `SELECT l.id AS member_magic_link_id, l.id, l.organization_id, l.member_id, l.secret_ciphertext, l.is_deleted, l.is_suspended, m.is_deleted AS is_member_deleted, m.ends_at AS member_ends_at
     FROM member_magic_links l JOIN organizations o ON o.id = l.organization_id AND NOT o.is_deleted
     JOIN members m ON m.organization_id = l.organization_id AND m.id = l.member_id WHERE l.id = $1`,
    [id],
  )
  const is_right = row && isEqual(given.slice(id.length + 1), magicLinkSecret(context, row))
  if (!is_right)
    return refuseGuess(context, `link ${id}`, address, 'this link is not valid; ask for a new one')
  await forgetFailures(context, `link ${id}`, { ip_address: address })
  if (row.is_member_deleted)
    throw await memberGone(context, { ...row, is_credential_deleted: row.is_deleted })
  if (row.is_deleted) throw gone('credential_deleted', 'this link was revoked; ask for a new one')
  if (row.is_suspended) throw credentialSuspended()
  const { organization_id, member_id, member_magic_link_id } = row
  return { organization_id, member_id, member_magic_link_id }
}

function gone(reason: string, message: string): RequestError {
  return new RequestError('permission_denied', message, { args: { reason } })
}

function isEqual(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

async function refuseWhileDelayed(context: Context, account: string, address: string): Promise<void> {
  const seconds = await findDelay(context, account, { ip_address: address })
  if (seconds === 0) return
  throw new RequestError('rate_limited', `too many wrong attempts; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
    args: { retry_after: String(seconds) },
  })
}

async function refuseGuess(
  context: Context,
  account: string,
  address: string,
  message: string,
): Promise<never> {
  await countFailure(context, account, { ip_address: address })
  context.metrics.count('gatehouse_guest_guesses_total', { kind: account.replace(/ .*/s, '') })
  context.log.warn({ address, account }, 'a guest used a wrong link or code')
  throw new RequestError('unauthenticated', message, { args: { reason: 'unknown_credential' } })
}

/** Mails a code if the address has members. Neither the response nor its timing reveals whether it has. */
export async function sendGuestCode(
  context: Context,
  email: string,
  accept_language: string | undefined,
): Promise<void> {
  const voice = guestVoiceOf(chooseGuestLanguage(accept_language))
  const send = async () => {
    const choices = await listChoices(context, email)
    if (choices.length === 0) return
    const code = await makeCode(context, email, 'guest', {})
    if (!code) return
    const mail = composeMail({
      to: email,
      kind: 'guest_code',
      voice,
      subject: voice.say('mail_code_subject', { code }),
      text: voice.say('mail_code_text', { code }),
      brand: await brandOf(context, choices),
      own_url: context.config.public_url,
      codes: [code],
    })
    await context.mailer.send(mail)
  }
  send().catch(error =>
    context.log.error({ err: error, to: email, kind: 'guest_code' }, 'an email was not sent'),
  )
}

/** A guest of several organizations signs in to all of them. */
async function brandOf({ db }: Context, choices: readonly Choice[]): Promise<Brand> {
  const [first, ...others] = new Set(choices.map(({ organization }) => organization.id))
  return first !== undefined && others.length === 0 ? findBrand(db, first) : ownBrand
}

/** Returns the members of the address if the code is right, and a ticket to sign in as one of them. */
export async function checkGuestCode(
  context: Context,
  email: string,
  code: string,
  address: string,
): Promise<{ ticket: string; members: Choice[] }> {
  const account = `code ${email.toLowerCase()}`
  await refuseWhileDelayed(context, account, address)
  const payload = await takeCode(context, email, 'guest', code)
  if (!payload) return refuseGuess(context, account, address, 'this code is wrong or has expired')
  await forgetFailures(context, account, { ip_address: address })
  const ticket = newSecret('ghk')
  await context.db.query(
    'INSERT INTO member_tickets (ticket_hash, email_key, expires_at) VALUES ($1, $2, $3)',
    [digest(ticket), email.toLowerCase(), addSeconds(context.clock.now(), lifetime)],
  )
  const members = await listChoices(context, email)
  return { ticket, members: members.map(({ email_key: _key, member_email_id: _id, ...choice }) => choice) }
}

const livingEmails = `member_emails e JOIN members m ON m.organization_id = e.organization_id AND m.id = e.member_id
  JOIN organizations o ON o.id = e.organization_id
  WHERE lower(e.email_key) = $1 AND NOT e.is_deleted AND NOT e.is_suspended AND NOT m.is_deleted AND NOT o.is_deleted`

type Known = Choice & { readonly email_key: string; readonly member_email_id: string }

/** The most choices per organization: one with thousands for an address must not hide those of the others. */
const mostOfOne = 50

/** Returns the members of an address in all organizations, without deleted ones. Ended stays come last. */
async function listChoices({ db, clock }: Context, email: string): Promise<Known[]> {
  return db.query<Known>(
    `SELECT email_key, member_email_id, member_id, organization, starts_at, ends_at FROM (
       SELECT e.email_key, e.id AS member_email_id, m.id AS member_id, jsonb_build_object('id', o.id, 'name', o.name) AS organization,
         m.starts_at, m.ends_at, row_number() OVER (PARTITION BY o.id ORDER BY coalesce(m.ends_at <= $2, false), m.starts_at NULLS FIRST, m.id) AS place
       FROM ${livingEmails}) AS choices
     WHERE place <= ${mostOfOne} ORDER BY coalesce(ends_at <= $2, false), place, starts_at NULLS FIRST, member_id LIMIT 1000`,
    [email.toLowerCase(), clock.now()],
  )
}

/** Signs in as any member of the ticket's address, until the ticket expires. */
export async function enterByTicket(
  context: Context,
  ticket: string,
  member_id: string,
  address: string,
): Promise<Holder> {
  const { db, clock } = context
  const [row] = await db.query<{ email_key: string }>(
    'SELECT email_key FROM member_tickets WHERE ticket_hash = $1 AND expires_at > $2',
    [digest(ticket), clock.now()],
  )
  if (!row) return refuseGuess(context, 'ticket', address, 'this ticket has expired; request another code')
  const [chosen] = await db.query<Holder>(
    `SELECT e.organization_id, m.id AS member_id, e.id AS member_email_id FROM ${livingEmails} AND m.id = $2 ORDER BY e.id LIMIT 1`,
    [row.email_key, member_id],
  )
  if (!chosen) throw gone('member_deleted', 'this access was revoked')
  return chosen
}
