import type { Row } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { findAsked, makeCode, maySend, takeCode } from '../mail/mail-codes.ts'
import type { Context } from '../objects/context.ts'
import { isStillGiven } from '../roles/inviters.ts'
import { hashPassword } from './passwords.ts'
import { forStrangers, type Stranger } from './stranger.ts'

interface Newcomer {
  readonly email: string
  readonly name: string
  readonly password: string
}

/**
 * Signs up in two steps. Request: a code goes to the address. Confirmation: creates the account with a
 * verified address. Nothing is created before the code is entered, and every address gets the same response.
 */
export async function askForAccount(stranger: Stranger, { email, name, password }: Newcomer): Promise<void> {
  const password_hash = await hashPassword(password)
  await sendCode(stranger, email, { email, name, password_hash })
}

/** Sends another code for what was asked for in the same browser. */
export async function askAgain(stranger: Stranger, email: string): Promise<void> {
  const asked = await findAsked(forStrangers(stranger.context), email, 'sign_up', stranger.form_token)
  await sendCode(stranger, email, asked)
}

async function sendCode(stranger: Stranger, email: string, asked: Row | undefined): Promise<void> {
  const { voice, form_token } = stranger
  const context = forStrangers(stranger.context)
  if (await isKnown(context, email)) {
    if (await maySend(context, email)) sendLetterLater(context, voice, email, 'known', {})
    return
  }
  if (!asked || !(await mayJoin(context, email))) return
  const code = await makeCode(context, email, 'sign_up', asked, form_token)
  if (code) sendLetterLater(context, voice, email, 'sign_up', { code })
}

/** Returns the ID of the new user, or undefined if the code is wrong. */
export async function confirmAccount(
  stranger: Stranger,
  email: string,
  code: string,
): Promise<string | undefined> {
  const context = forStrangers(stranger.context)
  const payload = await takeCode(context, email, 'sign_up', code, stranger.form_token)
  if (!payload || !(await mayJoin(context, email))) return undefined
  const now = context.clock.now()
  const [row] = await context.db.query<{ id: string }>(
    `INSERT INTO users (id, name, email, email_key, password_hash, email_verified_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (email_key) DO NOTHING RETURNING id`,
    [newId('user', now), payload.name, payload.email, email.toLowerCase(), payload.password_hash, now],
  )
  return row?.id
}

async function isKnown({ db }: Context, email: string): Promise<boolean> {
  return (await db.query('SELECT 1 FROM users WHERE email_key = $1', [email.toLowerCase()])).length > 0
}

async function mayJoin({ db, config, clock }: Context, email: string): Promise<boolean> {
  if (config.signup === 'open') return true
  const rows = await db.query(
    `SELECT 1 FROM invitations i WHERE email_key = $1 AND expires_at > $2 AND ${isStillGiven} LIMIT 1`,
    [email.toLowerCase(), clock.now()],
  )
  return rows.length > 0
}
