import { hash, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** A certificate with its chain and its private key, in PEM, and what the service needs to know of it. */
export interface Certificate {
  readonly chain: string
  readonly key: string
  /** Milliseconds since 1970. */
  readonly begins_at: number
  readonly ends_at: number
  readonly fingerprint: string
}

const day = 86_400_000

/** Throws if the two do not belong together or are malformed. */
export function readCertificate(chain: string, key: string): Certificate {
  createSecureContext({ cert: chain, key })
  const leaf = new X509Certificate(chain)
  return {
    chain,
    key,
    begins_at: leaf.validFromDate.getTime(),
    ends_at: leaf.validToDate.getTime(),
    fingerprint: leaf.fingerprint256,
  }
}

/**
 * When a certificate should be replaced: 30 days before its end, or after two thirds of a life that is shorter
 * than 90 days. Up to a tenth of that time later, so that installations do not renew in the same hour; the same
 * moment in every process.
 */
export function renewalOf({ begins_at, ends_at, fingerprint }: Certificate): number {
  const ahead = Math.min(30 * day, (ends_at - begins_at) / 3)
  const chance = Number.parseInt(hash('sha256', fingerprint).slice(0, 8), 16) / 2 ** 32
  return ends_at - ahead + (chance * ahead) / 10
}

export function daysLeft({ ends_at }: Certificate, now: number): number {
  return (ends_at - now) / day
}
