import { hash } from 'node:crypto'
import type { Row } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'

/**
 * The hash chain of an organization's events, in feed order:
 *
 *   digest(n) = SHA-256(salt(n), the event)            reveals nothing about the event without the salt
 *   hash(n)   = SHA-256(hash(n - 1), n, event id, digest(n))        hash(0) = SHA-256(organization id)
 *
 * Altering, removing, inserting or reordering an event requires recomputing every later hash. The hashes need
 * no key, so that anyone can check them against a signed checkpoint. Each link also carries a seal that only
 * the service can create (keys.ts), so that an attacker cannot recompute the chain.
 */
export function firstHash(organizationId: string): Buffer {
  return hash('sha256', organizationId, 'buffer')
}

export function nextHash(previous: Uint8Array, number: number, eventId: string, digest: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([previous, Buffer.from(`${number} ${eventId}\n`), digest]), 'buffer')
}

/** Sorted, as are the keys of every object in the canonical form. */
const fields = [
  'clock_adjusted',
  'created_at',
  'explanation',
  'id',
  'object',
  'organization_id',
  'recorded_at',
  'subject',
  'verb',
]

/** An event that lost its person says so. Those that say no have the digests of before they could. */
const unlinkedFields = [...fields, 'is_unlinked'].sort()

export function digestEvent(salt: Uint8Array, event: Row): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(canonicalEvent(event))]), 'buffer')
}

export function canonicalEvent(event: Row): string {
  return writeObject(event, event.is_unlinked === true ? unlinkedFields : fields)
}

/** Returns JSON with sorted keys and without nulls, independent of how an event was read. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  return writeObject(value, Object.keys(value).sort())
}

// Concatenates strings: building arrays of entries would dominate the cost of sealing an event.
function writeObject(value: Row, keys: readonly string[]): string {
  let text = ''
  for (const key of keys) {
    const held = value[key]
    if (held === null || held === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(held)}`
  }
  return `{${text}}`
}
