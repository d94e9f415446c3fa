import { invalid } from '@gatehouse-access/api'
import { epochMilliseconds } from '@gatehouse-access/core'
import type { Voice } from '../../texts/language.ts'
import { sealedAs } from '../../vault/contexts.ts'
import { sendLetterLater } from '../mail/letters.ts'
import type { Context } from '../objects/context.ts'
import { makeRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { endOtherSessions, type Session } from './sessions.ts'
import { findTotpStep, newTotpKey, totpUri } from './totp.ts'

interface TotpKey {
  readonly secret: Uint8Array
  readonly last_step: string
  readonly confirmed_at: string | null
  /** The session that the key was shown to. */
  readonly session_id: string | null
}

interface Enrolment {
  readonly key: string
  readonly uri: string
}

/**
 * Sets up an authenticator app in two steps. Begin: a key is shown. Confirm: the app's code is checked, and
 * from then on a password alone opens no session. Beginning again before that shows the same key, so that
 * reloading the page does not invalidate a scanned key. Another session gets another key, because a previous
 * user of the account may have noted the first.
 */
export async function beginTotp(context: Context, session: Session): Promise<Enrolment> {
  const { db, vault, clock } = context
  const { user_id } = session
  await db.query(
    `INSERT INTO totp_keys AS t (user_id, secret, created_at, session_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, session_id = excluded.session_id
     WHERE t.confirmed_at IS NULL AND t.session_id IS DISTINCT FROM excluded.session_id`,
    [user_id, vault.encrypt(newTotpKey(), sealedAs.totp_key(user_id)), clock.now(), session.id],
  )
  const held = await findKey(context, user_id)
  if (!held || held.confirmed_at || held.session_id !== session.id)
    throw invalid('', 'an authenticator app is already set up; remove it first')
  const key = vault.decrypt(held.secret, sealedAs.totp_key(user_id))
  return { key, uri: totpUri(key, 'Gatehouse', session.email) }
}

/** Returns the recovery codes and ends every other session. Returns undefined if the code is wrong. */
export async function confirmTotp(
  context: Context,
  voice: Voice,
  session: Session,
  code: string,
): Promise<string[] | undefined> {
  const held = await findKey(context, session.user_id)
  if (!held || held.confirmed_at || held.session_id !== session.id) return undefined
  if (!(await useTotp(context, session.user_id, held, code))) return undefined
  const codes = await context.db.transaction(async db => {
    const rows = await db.query(
      `UPDATE totp_keys SET confirmed_at = $2 WHERE user_id = $1 AND session_id = $3 AND confirmed_at IS NULL RETURNING user_id`,
      [session.user_id, context.clock.now(), session.id],
    )
    return rows.length > 0 ? makeRecoveryCodes(db, session.user_id) : undefined
  })
  if (codes) await tellChange(context, voice, session)
  return codes
}

export async function removeTotp(context: Context, voice: Voice, session: Session): Promise<void> {
  await forgetFactors(context, session.user_id)
  await tellChange(context, voice, session)
}

export async function forgetFactors({ db }: Pick<Context, 'db'>, user_id: string): Promise<void> {
  await db.transaction(async inner => {
    await inner.query('DELETE FROM totp_keys WHERE user_id = $1', [user_id])
    await inner.query('DELETE FROM recovery_codes WHERE user_id = $1', [user_id])
  })
}

/** Ends the other sessions after a change of factors and notifies the owner. */
export async function tellChange(context: Context, voice: Voice, session: Session): Promise<void> {
  await endOtherSessions(context, session.user_id, session.id)
  sendLetterLater(context, voice, session.email, 'factor', {})
}

export async function hasTotp(context: Pick<Context, 'db'>, user_id: string): Promise<boolean> {
  const held = await findKey(context, user_id)
  return held?.confirmed_at !== null && held !== undefined
}

/** Returns whether a code is from the app or a recovery code, or undefined if it is neither. */
export async function takeFactor(
  context: Context,
  user_id: string,
  code: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  const held = await findKey(context, user_id)
  if (!held?.confirmed_at) return undefined
  if (await useTotp(context, user_id, held, code)) return 'totp'
  return (await takeRecoveryCode(context, user_id, code)) ? 'recovery_code' : undefined
}

/** If two requests use the same code, only the first succeeds. */
async function useTotp(
  { db, vault, clock, config }: Context,
  user_id: string,
  { secret, last_step }: TotpKey,
  code: string,
): Promise<boolean> {
  const key = vault.decrypt(secret, sealedAs.totp_key(user_id))
  const step = findTotpStep(key, code, epochMilliseconds(clock.now()), {
    last_step: Number(last_step),
    before: config.hardening === 'strict' ? 0 : 1,
  })
  if (step === undefined) return false
  const rows = await db.query(
    'UPDATE totp_keys SET last_step = $2 WHERE user_id = $1 AND last_step < $2 RETURNING user_id',
    [user_id, step],
  )
  return rows.length > 0
}

async function findKey({ db }: Pick<Context, 'db'>, user_id: string): Promise<TotpKey | undefined> {
  const [row] = await db.query<TotpKey>(
    'SELECT secret, last_step, confirmed_at, session_id FROM totp_keys WHERE user_id = $1',
    [user_id],
  )
  return row
}
