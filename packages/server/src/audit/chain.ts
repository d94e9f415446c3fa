import { hash } from 'node:crypto'
import type { Row } from '../store/db.ts'

/**
 * The chain of an organization's events, in the order of the feed:
 *
 *   digest(n) = SHA-256(salt(n), the event)            without the salt it tells nothing about the event
 *   hash(n)   = SHA-256(hash(n - 1), n, event id, digest(n))        hash(0) = SHA-256(organization id)
 *
 * Whoever alters, removes, inserts or reorders an event has to make every later hash anew, and then contradicts the
 * checkpoints.
 */
export function firstHash(organizationId: string): Buffer {
  return hash('sha256', organizationId, 'buffer')
}

export function nextHash(previous: Uint8Array, number: number, eventId: string, digest: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([previous, Buffer.from(`${number} ${eventId}\n`), digest]), 'buffer')
}

const fields = [
  'id',
  'organization_id',
  'subject',
  'verb',
  'object',
  'created_at',
  'recorded_at',
  'clock_adjusted',
  'explanation',
]

export function digestEvent(salt: Uint8Array, event: Row): Buffer {
  const content = Object.fromEntries(fields.map(name => [name, event[name]]))
  return hash('sha256', Buffer.concat([salt, Buffer.from(canonical(content))]), 'buffer')
}

/** JSON with sorted keys and without nulls, so that it does not matter how an event was read. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, held]) => held !== null && held !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonical(held)}`).join(',')}}`
}
