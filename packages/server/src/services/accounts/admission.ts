import { RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { asRead } from '../../database/postgres/query.ts'
import { logHappening } from '../../store/write.ts'
import type { Context, Work } from '../objects/context.ts'
import { ownRole, ownSignOut, type Position } from '../roles/roles.ts'
import type { Session } from './sessions.ts'

/** The requirements of an organization for the sessions of one of its users. */
export interface Demands {
  readonly requires_second_factor: boolean
  /** Sessions that began at or before this time are refused. */
  readonly signed_out_at: string | null
}

/** The role of a user in an organization, and the requirements for the user's sessions. */
export interface Membership extends Demands, Position {
  readonly features: { readonly whitelabel: boolean }
}

export async function findMembership(
  { db }: Pick<Context, 'db'>,
  organization_id: string,
  user_id: string,
): Promise<Membership | undefined> {
  const [membership] = await db.query<Membership>(
    `SELECT ${ownRole} AS role, m.site_ids, o.features, ${ownSignOut} AS signed_out_at, coalesce(s.requires_second_factor, false) AS requires_second_factor
     FROM organization_users m JOIN organizations o ON o.id = m.organization_id
     LEFT JOIN organization_security s ON s.organization_id = m.organization_id
     WHERE m.organization_id = $1 AND m.user_id = $2 AND NOT o.is_deleted`,
    [organization_id, user_id],
    asRead,
  )
  return membership
}

export type Refusal = 'second_factor_required' | 'sign_in_again'

type Needs = Pick<Context, 'config'>

const recently = 600

/** Returns why a session may not act for an organization, or undefined if it may. */
export function findRefusal(
  { config }: Needs,
  session: Pick<Session, 'created_at' | 'method'>,
  demands: Demands,
): Refusal | undefined {
  const { requires_second_factor, signed_out_at } = demands
  if (signed_out_at !== null && session.created_at <= signed_out_at) return 'sign_in_again'
  const is_demanded = requires_second_factor || config.second_factor === 'required'
  return is_demanded && !isStrong(session) ? 'second_factor_required' : undefined
}

/** Whether more than a password opened the session. A passkey verifies its user and counts as two factors. */
function isStrong({ method }: Pick<Session, 'method'>): boolean {
  return method !== 'password'
}

/**
 * Throws if the session of a user, or of the developer of an installed application, does not meet the
 * organization's requirements. For anyone else, a later check answers that there is no such organization.
 */
export async function requireAdmission(
  context: Needs,
  db: Database,
  session: Session,
  organization_id: string,
): Promise<void> {
  const [demands] = await db.query<Demands>(
    `SELECT coalesce(s.requires_second_factor, false) AS requires_second_factor, ${ownSignOut} AS signed_out_at FROM organizations o
     LEFT JOIN organization_users m ON m.organization_id = o.id AND m.user_id = $2
     LEFT JOIN organization_security s ON s.organization_id = o.id
     WHERE o.id = $1 AND (m.user_id IS NOT NULL OR EXISTS (SELECT 1 FROM installations i JOIN oauth_applications a
       ON a.id = i.oauth_application_id WHERE i.organization_id = o.id AND a.developer_id = $2 AND NOT a.is_deleted))`,
    [organization_id, session.user_id],
  )
  const refusal = demands && findRefusal(context, session, demands)
  if (refusal) throw refused(refusal)
}

export function refused(reason: Refusal): RequestError {
  const messages = {
    second_factor_required:
      'a second factor is required here: set up an authenticator app or a passkey at /security, and sign in with it',
    sign_in_again: 'an administrator has signed you out of this organization; sign in again',
  }
  return new RequestError('permission_denied', messages[reason], { args: { reason } })
}

/** Requires a strong session to turn the requirement on, so that users cannot lock themselves out. */
export async function requireSecondFactor(work: Work, session: Session, is_required: boolean): Promise<void> {
  if (is_required && !isStrong(session)) throw refused('second_factor_required')
  const { organization_id } = work.caller
  const rows = await work.db.query(
    `INSERT INTO organization_security AS s (organization_id, requires_second_factor) VALUES ($1, $2)
     ON CONFLICT (organization_id) DO UPDATE SET requires_second_factor = $2 WHERE s.requires_second_factor <> $2
     RETURNING organization_id`,
    [organization_id, is_required],
  )
  work.db.afterCommit('rights_changed')
  const changes = [{ field: 'requires_second_factor', before: !is_required, after: is_required }]
  if (rows.length > 0) await logHappening(work, 'edit', { type: 'organization', organization_id, changes })
}

/**
 * Whether a session may change how the account signs in: it began within the last ten minutes, with a second
 * factor if the account had one. Otherwise an attacker who resets the password by mail could enroll a factor.
 */
export function isRecent(session: Session, now: string): boolean {
  return session.created_at > addSeconds(now, -recently) && !isBelowAccount(session)
}

/** Whether the session began with only a password although the account had a second factor. */
export function isBelowAccount(session: Session): boolean {
  return session.had_second_factor && !isStrong(session)
}

/** Guards everything but the user's own account where the operator requires a second factor of everybody. */
export function requireStrength({ config }: Needs, session: Session): void {
  if (config.second_factor === 'required' && !isStrong(session)) throw refused('second_factor_required')
}

export function requireRecent({ clock }: Pick<Context, 'clock'>, session: Session): void {
  if (isRecent(session, clock.now())) return
  if (isBelowAccount(session))
    throw new RequestError(
      'permission_denied',
      "this requires a sign-in with the account's passkey or authenticator app",
      { args: { reason: 'second_factor_needed' } },
    )
  throw new RequestError(
    'permission_denied',
    'this requires a sign-in within the last 10 minutes: sign in again, at /sign-in',
    { args: { reason: 'not_recent' } },
  )
}
