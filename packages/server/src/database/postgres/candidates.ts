import type { Standing } from './connection.ts'
import type { Address, SessionAttributes } from './login/address.ts'
import { ConnectionError } from './wire/errors.ts'

/** A server that was asked what it is, or why it did not say. */
export interface Candidate {
  readonly address: Address
  readonly standing?: Standing | undefined
  readonly error?: ConnectionError | undefined
}

/** Whether a server is what `target_session_attrs` asks for, as in libpq. */
export function mayUse({ is_standby, is_read_only }: Standing, attributes: SessionAttributes): boolean {
  switch (attributes) {
    case 'read-write':
      return !is_standby && !is_read_only
    case 'read-only':
      return is_standby || is_read_only
    case 'primary':
      return !is_standby
    case 'standby':
      return is_standby
    default:
      return true
  }
}

/** Returns the first of those with the highest timeline. Of standbys, which have none here, simply the first. */
export function choose(
  candidates: readonly Candidate[],
  attributes: SessionAttributes,
): Candidate | undefined {
  const standbys = candidates.filter(({ standing }) => standing?.is_standby)
  const wanted = attributes === 'prefer-standby' && standbys.length > 0 ? standbys : candidates
  if (attributes === 'any') return wanted[0]
  return wanted.reduce<Candidate | undefined>(
    (best, next) => (timelineOf(next) > timelineOf(best) ? next : best),
    wanted[0],
  )
}

function timelineOf(candidate: Candidate | undefined): number {
  return candidate?.standing?.timeline ?? 0
}

/** Whether a primary was replaced: the same cluster was seen on a higher timeline. */
export function isOutdone(standing: Standing, highest: Standing | undefined): boolean {
  if (!highest || standing.is_standby || standing.cluster !== highest.cluster) return false
  return standing.timeline < highest.timeline
}

/**
 * Returns one error for all servers. Its code says READ_ONLY only if each of them answered: a primary that
 * merely was too slow is not demoted.
 */
export function refusalOf(candidates: readonly Candidate[]): ConnectionError {
  const errors = candidates.flatMap(({ error }) => error ?? [])
  const telling = errors.find(({ code }) => code !== 'READ_ONLY') ?? errors[0]
  const reasons = candidates.map(({ address, error }) => `${nameOf(address)}: ${error?.message}`)
  return new ConnectionError(
    telling?.code ?? 'CONNECT_FAILED',
    `none of the ${candidates.length} servers can be used (${reasons.join('; ')})`,
    telling,
  )
}

/** For messages. */
export function nameOf({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
