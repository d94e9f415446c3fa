import type { EventSubject } from '@gatehouse-access/api'
import type { Database, Row } from '../../database/db.ts'
import { type Caller, serviceCaller } from '../../store/caller.ts'
import { living } from '../applications/token-cache.ts'
import { limitScopes, type Role, scopesOf } from '../roles/roles.ts'
import type { WholeJob } from './job-type.ts'

/** What a job remembers of whoever made it. A session may end before the job; a token that is revoked ends it. */
interface Maker {
  readonly subject: EventSubject
  readonly token_hash?: string
}

export function makerOf(caller: Caller): Row {
  const { oauth_application_id, token_hash } = caller
  const subject = caller.subject()
  return oauth_application_id !== undefined && token_hash
    ? { subject, token_hash: token_hash.toString('hex') }
    : { subject }
}

interface Rights {
  readonly role: Role | null
  readonly scopes: readonly string[]
  readonly features: Caller['features']
}

type Asking = Pick<WholeJob, 'id' | 'organization_id' | 'created_by' | 'created_at' | 'maker' | 'is_dry_run'>

/**
 * Returns whoever made a job as its caller, with the rights that they have now; undefined if these no longer suffice.
 * A token that only expired still counts: it was valid when it asked for the job.
 */
export async function askRights(db: Database, job: Asking): Promise<Caller | undefined> {
  const { subject, token_hash } = job.maker as unknown as Maker
  const { oauth_application_id, user_id } = job.created_by
  if (isOfMember(job)) return asMember(db, job, subject)
  const rights = oauth_application_id
    ? await ofToken(db, job, token_hash ?? '')
    : await ofUser(db, job, user_id ?? '')
  if (!rights) return undefined
  const scopes = oauth_application_id ? limitScopes(rights.scopes, rights.role) : rights.scopes
  const mayWrite = scopes.includes('full_read_write')
  if (!mayWrite && !(job.is_dry_run && scopes.includes('full_read_only'))) return undefined
  return {
    organization_id: job.organization_id,
    oauth_application_id: oauth_application_id ?? undefined,
    user_id: user_id ?? undefined,
    scopes,
    features: rights.features,
    job_id: job.id,
    subject: () => subject,
  }
}

/** Members may ask for what is held about them, and for nothing else. */
export function isOfMember({ created_by, maker }: Pick<Asking, 'created_by' | 'maker'>): boolean {
  const { subject } = maker as unknown as Maker
  return created_by.user_id === null && created_by.oauth_application_id === null && subject?.member_id != null
}

/** A member has no scopes. */
async function asMember(
  db: Database,
  { id, organization_id }: Asking,
  subject: EventSubject,
): Promise<Caller | undefined> {
  const [found] = await db.query<Pick<Caller, 'features'>>(
    `SELECT o.features FROM members m JOIN organizations o ON o.id = m.organization_id AND NOT o.is_deleted
     WHERE m.organization_id = $1 AND m.id = $2 AND NOT m.is_deleted AND (o.privacy->>'member_export')::boolean`,
    [organization_id, subject.member_id],
  )
  if (!found) return undefined
  const nobody = { oauth_application_id: undefined, user_id: undefined, scopes: [] }
  return { ...nobody, ...found, organization_id, job_id: id, subject: () => subject }
}

async function ofToken(
  db: Database,
  { organization_id }: Asking,
  token_hash: string,
): Promise<Rights | undefined> {
  const [rights] = await db.query<Rights>(
    `SELECT m.role, t.scopes, o.features FROM ${living} AND t.token_hash = decode($1, 'hex') AND t.organization_id = $2`,
    [token_hash, organization_id],
  )
  return rights
}

/** An administrator who signs a user out of the organization stops the user's jobs too. */
async function ofUser(
  db: Database,
  { organization_id, created_at }: Asking,
  user_id: string,
): Promise<Rights | undefined> {
  const [found] = await db.query<{ role: Role; features: Caller['features'] }>(
    `SELECT m.role, o.features FROM organization_users m JOIN organizations o ON o.id = m.organization_id AND NOT o.is_deleted
     WHERE m.organization_id = $1 AND m.user_id = $2 AND (m.signed_out_at IS NULL OR m.signed_out_at < $3)`,
    [organization_id, user_id, created_at],
  )
  return found && { ...found, scopes: scopesOf(found.role) }
}

/** The service as a caller, for what it does to the job itself. Events name whoever made the job. */
export function serviceOf({ id, organization_id, maker }: Asking): Caller {
  const { subject } = maker as unknown as Maker
  return { ...serviceCaller(organization_id), job_id: id, subject: () => subject }
}
