import { invalid, RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import { findBrand } from '../../mail/brand.ts'
import { voiceOfAddress } from '../../mail/reader-voice.ts'
import { newId } from '../../store/ids.ts'
import { logHappening } from '../../store/write.ts'
import type { Voice } from '../../texts/language.ts'
import type { Session } from '../accounts/sessions.ts'
import { sendLetter } from '../mail/letters.ts'
import { countFreely, enoughMail, maySend } from '../mail/mail-codes.ts'
import type { Context, Work } from '../objects/context.ts'
import { holdMembership } from '../roles/hold-membership.ts'
import { isStillGiven } from '../roles/inviters.ts'
import type { Role } from '../roles/roles.ts'
import { addUser } from './organization-users.ts'

const lifetime = 14 * 24 * 3600
const invitations_an_hour = 50
const columns = 'id, organization_id, email, role, created_at, expires_at'

export interface Invitation {
  readonly id: string
  readonly organization_id: string
  readonly email: string
  readonly role: Role
  readonly created_at: string
  readonly expires_at: string
}

export function listInvitations(db: Database, organization_id: string, now: string): Promise<Invitation[]> {
  return db.query<Invitation>(
    `SELECT ${columns} FROM invitations i WHERE organization_id = $1 AND expires_at > $2 AND ${isStillGiven} ORDER BY created_at DESC, id`,
    [organization_id, now],
  )
}

/** Counts the mail against the limits of the organization and of the address. */
export async function countInvitation(
  { db, clock, vault }: Pick<Context, 'db' | 'clock' | 'vault'>,
  organization_id: string,
  email: string,
): Promise<void> {
  if (!(await countFreely({ db, now: clock.now() }, `users of ${organization_id}`, invitations_an_hour)))
    throw enoughMail(`an organization can invite at most ${invitations_an_hour} users an hour`)
  if (!(await maySend({ db, clock, vault }, email)))
    throw enoughMail('this address has received too many emails; try again in an hour')
}

/** Invites an address, or replaces its invitation with another role. Only owners can invite owners. */
export async function invite(work: Work, own_role: Role, email: string, role: Role): Promise<Invitation> {
  if (role === 'owner' && own_role !== 'owner')
    throw new RequestError('permission_denied', 'only an owner can invite owners', {
      args: { reason: 'role_too_low', role: 'owner' },
    })
  await holdMembership(work)
  await refuseUser(work, email)
  const { db, caller, now } = work
  await work.context.quotas.take(db, 'invitation', [caller.organization_id])
  const [row] = await db.query<Invitation>(
    `INSERT INTO invitations (id, organization_id, email, email_key, role, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (organization_id, email_key) DO UPDATE SET
       role = excluded.role, invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
     RETURNING ${columns}`,
    [
      newId('invitation', now),
      caller.organization_id,
      email,
      email.toLowerCase(),
      role,
      caller.user_id,
      now,
      addSeconds(now, lifetime),
    ],
  )
  const made = present(row, 'the invitation')
  await logHappening(work, 'create', { type: 'invitation', invitation_id: made.id, name: made.email })
  return made
}

async function refuseUser({ db, caller }: Work, email: string): Promise<void> {
  const rows = await db.query(
    'SELECT 1 FROM organization_users m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND u.email_key = $2',
    [caller.organization_id, email.toLowerCase()],
  )
  if (rows.length > 0) throw invalid('email', 'this address already belongs to a user of the organization')
}

/** Sends the mail after the commit. An error tells the inviter that the mail was not sent. */
export async function sendInvitation(
  context: Context,
  voice: Voice,
  inviter: Session,
  invitation: Invitation,
): Promise<void> {
  const brand = await findBrand(context.db, invitation.organization_id)
  const theirs = await voiceOfAddress(context.db, invitation.email, voice)
  const gaps = {
    inviter: inviter.name ?? inviter.email,
    organization: brand.name,
    role: theirs.say(`role_${invitation.role}`),
  }
  await sendLetter(context, theirs, invitation.email, 'invitation', gaps, brand)
}

export async function withdrawInvitation(work: Work, id: string): Promise<void> {
  const [row] = await work.db.query<{ email: string }>(
    'DELETE FROM invitations WHERE organization_id = $1 AND id = $2 RETURNING email',
    [work.caller.organization_id, id],
  )
  if (!row) throw unknown()
  await logHappening(work, 'delete', { type: 'invitation', invitation_id: id, name: row.email })
}

type OwnInvitation = Omit<Invitation, 'email'> & { readonly organization_name: string }

/** Returns the invitations to the verified address of the user's account. */
export function listOwnInvitations(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  session: Session,
): Promise<OwnInvitation[]> {
  return db.query<OwnInvitation>(
    `SELECT i.id, i.organization_id, o.name AS organization_name, i.role, i.created_at, i.expires_at FROM invitations i
     JOIN organizations o ON o.id = i.organization_id JOIN users u ON u.email_key = i.email_key
     WHERE u.id = $1 AND u.email_verified_at IS NOT NULL AND i.expires_at > $2 AND NOT o.is_deleted
     AND ${isStillGiven} ORDER BY i.created_at DESC`,
    [session.user_id, clock.now()],
  )
}

/** Returns one of the user's own invitations. */
export async function findOwnInvitation(
  context: Pick<Context, 'db' | 'clock'>,
  session: Session,
  id: string,
): Promise<{ organization_id: string; role: Role }> {
  const own = await listOwnInvitations(context, session)
  const found = own.find(invitation => invitation.id === id)
  if (!found) throw unknown()
  return found
}

/** Deletes the invitation. If it is accepted, the user joins the organization. */
export async function answerInvitation(work: Work, id: string, is_accepted: boolean): Promise<void> {
  const [row] = await work.db.query<{ role: Role; email: string }>(
    `DELETE FROM invitations i WHERE organization_id = $1 AND id = $2 AND ${isStillGiven} RETURNING role, email`,
    [work.caller.organization_id, id],
  )
  if (!row) throw unknown()
  await logHappening(work, is_accepted ? 'use' : 'delete', {
    type: 'invitation',
    invitation_id: id,
    name: row.email,
  })
  if (is_accepted) await addUser(work, present(work.caller.user_id, 'the user'), row.role)
}

function unknown(): RequestError {
  return new RequestError('not_found', 'there is no invitation with this id')
}
