import { addSeconds } from '@gatehouse-access/core'
import type { Logger } from 'pino'
import type { Database } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { messageOf } from '../flow/failures.ts'
import type { Vault } from '../vault/vault.ts'
import { AcmeError } from './acme/acme-error.ts'
import { type Challenge, challengeKinds, obtain } from './acme/obtain.ts'
import {
  giveLead,
  openAccount,
  type Place,
  removeChallenges,
  type Stored,
  storeCertificate,
  storeChallenge,
  storeFailure,
  takeLead,
} from './store.ts'

export interface Renewal extends Place {
  readonly email: string | undefined
  /** Whether this installation answers plain HTTP, so that a name can be proved there. */
  readonly has_http: boolean
  readonly db: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
  readonly owner: string
  readonly signal: AbortSignal
  /** Tells every process to look at the database again, and waits until they can have done so. */
  announce(): Promise<void>
}

/**
 * Obtains a certificate if no other process is doing so. A failure is stored with the time of the next attempt,
 * which then proves the name in the other way if there is one.
 */
export async function renew(renewal: Renewal, stored: Stored | undefined): Promise<void> {
  const { db, vault, log, owner, name } = renewal
  if (!(await takeLead(db, renewal, owner))) return
  const failures = stored?.failures ?? 0
  try {
    const account = await openAccount(db, vault, renewal.directory)
    const got = await obtain({ ...renewal, account, kind: kindFor(renewal, failures), show: show(renewal) })
    await storeCertificate(db, vault, renewal, owner, got)
    log.info({ name }, 'a new certificate was obtained')
  } catch (error) {
    // The process stops: another may begin at once.
    if (renewal.signal.aborted) return await giveLead(db, renewal, owner)
    const attempt_at = addSeconds(renewal.clock.now(), waitAfter(failures, error))
    await storeFailure(db, renewal, owner, { failure: messageOf(error), attempt_at })
    log.error({ err: error, name, attempt_at }, 'no certificate could be obtained')
  } finally {
    await removeChallenges(db, name)
    await renewal.announce()
  }
}

function kindFor({ has_http }: Renewal, failures: number) {
  const kinds = has_http ? challengeKinds : (['tls-alpn-01'] as const)
  return kinds[failures % kinds.length] ?? kinds[0]
}

function show({ db, clock, announce }: Renewal) {
  return async (challenge: Challenge) => {
    await storeChallenge(db, challenge, clock.now())
    await announce()
  }
}

/** Seconds. Authorities count failed attempts, Let's Encrypt up to five an hour. */
const waits = [60, 300, 900, 3600, 3600, 3600, 3600]
const longest = 6 * 3600

function waitAfter(failures: number, error: unknown): number {
  const asked = error instanceof AcmeError ? (error.retry_after ?? 0) : 0
  const wait = waits[failures] ?? longest
  return Math.round(Math.max(asked, wait * (1 + Math.random() / 10)))
}
