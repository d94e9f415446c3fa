import { invalid, RequestError } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { newId } from '../../store/ids.ts'
import { digest } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'
import { openSession, type Session, type Visitor } from './sessions.ts'

const lifetime = 300

/** Loaded on first use: the module takes a tenth of a second and 30 MB, which many services never need. */
export const loadPasskeys = () => import('@simplewebauthn/server')

// Ed25519, ES256 and RS256: the algorithms that authenticators support.
const algorithms = [-8, -7, -257]

interface Passkey {
  readonly id: string
  readonly credential_id: string
  readonly user_id: string
  readonly public_key: Uint8Array
  readonly counter: string
  readonly transports: string[]
}

/** A passkey as its user sees it. */
interface OwnPasskey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export function listPasskeys({ db }: Context, user_id: string): Promise<OwnPasskey[]> {
  return db.query<OwnPasskey>(
    'SELECT id, name, created_at, last_used_at FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, id',
    [user_id],
  )
}

/** Requires user verification by the authenticator, because a passkey is a complete sign-in. */
export async function beginRegistration(context: Context, session: Session): Promise<object> {
  const known = await findPasskeys(context, session.user_id)
  const options = await (await loadPasskeys()).generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: domainOf(context),
    userID: new TextEncoder().encode(session.user_id),
    userName: session.email,
    userDisplayName: session.name ?? session.email,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(context, options.challenge, session.user_id)
  return options
}

export async function finishRegistration(
  context: Context,
  session: Session,
  name: string,
  response: RegistrationResponseJSON,
): Promise<OwnPasskey> {
  const { registrationInfo } = await (await loadPasskeys())
    .verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: algorithms,
      expectedChallenge: challenge => takeChallenge(context, challenge, session.user_id),
      expectedOrigin: context.config.public_url,
      expectedRPID: domainOf(context),
      requireUserVerification: true,
    })
    .catch(cause => {
      throw new RequestError('invalid_request', 'the passkey could not be verified; start again', { cause })
    })
  if (!registrationInfo) throw invalid('response', 'the passkey could not be verified; start again')
  return storePasskey(context, session.user_id, name, registrationInfo.credential)
}

async function storePasskey(
  { db, clock, quotas }: Context,
  user_id: string,
  name: string,
  credential: { id: string; publicKey: Uint8Array; counter: number; transports?: string[] },
): Promise<OwnPasskey> {
  await quotas.take(db, 'user.passkey', [user_id])
  const now = clock.now()
  const [row] = await db.query<OwnPasskey>(
    `INSERT INTO passkeys (id, credential_id, user_id, name, public_key, counter, transports, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING id, name, created_at, last_used_at`,
    [
      newId('passkey', now),
      credential.id,
      user_id,
      name,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.transports ?? [],
      now,
    ],
  )
  return row ?? Promise.reject(invalid('response', 'this passkey is already registered'))
}

export async function removePasskey({ db }: Context, user_id: string, id: string): Promise<void> {
  const rows = await db.query('DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id', [
    user_id,
    id,
  ])
  if (rows.length === 0) throw new RequestError('not_found', 'there is no passkey with this id')
}

/** The options name no account, so that they do not reveal whether one exists. */
export async function beginSignIn(context: Context): Promise<object> {
  const options = await (await loadPasskeys()).generateAuthenticationOptions({
    rpID: domainOf(context),
    userVerification: 'required',
  })
  await keepChallenge(context, options.challenge, null)
  return options
}

/** Returns the token of the new session, or undefined if the passkey is not accepted. */
export async function finishSignIn(
  context: Context,
  response: AuthenticationResponseJSON,
  visitor: Visitor,
): Promise<string | undefined> {
  if (!/^[\w-]{1,1500}$/.test(String(response?.id))) return undefined
  const [passkey] = await context.db.query<Passkey>(
    'SELECT id, credential_id, user_id, public_key, counter, transports FROM passkeys WHERE credential_id = $1',
    [String(response.id)],
  )
  const counter = passkey && (await verify(context, passkey, response))
  if (!passkey || counter === undefined) return undefined
  await context.db.query('UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1', [
    passkey.id,
    counter,
    context.clock.now(),
  ])
  return openSession(context, passkey.user_id, 'passkey', visitor)
}

async function verify(
  context: Context,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number | undefined> {
  const { verified, authenticationInfo } = await (await loadPasskeys())
    .verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge => takeChallenge(context, challenge, null),
      expectedOrigin: context.config.public_url,
      expectedRPID: domainOf(context),
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    })
    .catch(() => ({ verified: false, authenticationInfo: undefined }))
  return verified ? authenticationInfo?.newCounter : undefined
}

function findPasskeys({ db }: Context, user_id: string) {
  return db.query<Pick<Passkey, 'credential_id' | 'transports'>>(
    'SELECT credential_id, transports FROM passkeys WHERE user_id = $1',
    [user_id],
  )
}

function domainOf({ config }: Context): string {
  return new URL(config.public_url).hostname
}

async function keepChallenge(
  { db, clock }: Context,
  challenge: string,
  user_id: string | null,
): Promise<void> {
  await db.query('INSERT INTO passkey_challenges (challenge_hash, user_id, expires_at) VALUES ($1, $2, $3)', [
    digest(challenge),
    user_id,
    addSeconds(clock.now(), lifetime),
  ])
}

/** Consumes the challenge: each is accepted once. */
async function takeChallenge(
  { db, clock }: Context,
  challenge: string,
  user_id: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND user_id IS NOT DISTINCT FROM $2 AND expires_at > $3
     RETURNING expires_at`,
    [digest(challenge), user_id, clock.now()],
  )
  return rows.length > 0
}
