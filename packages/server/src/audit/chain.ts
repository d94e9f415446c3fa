import { hash } from 'node:crypto'
import type { Row } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'

/**
 * The chain of an organization's events, in the order of the feed:
 *
 *   digest(n) = SHA-256(salt(n), the event)            without the salt it tells nothing about the event
 *   hash(n)   = SHA-256(hash(n - 1), n, event id, digest(n))        hash(0) = SHA-256(organization id)
 *
 * Whoever alters, removes, inserts or reorders an event has to make every later hash anew. The hashes need no key, so that
 * anybody can check them against a signed checkpoint; beside each stands a seal that only the service can make (keys.ts), so
 * that none can be made anew.
 */
export function firstHash(organizationId: string): Buffer {
  return hash('sha256', organizationId, 'buffer')
}

export function nextHash(previous: Uint8Array, number: number, eventId: string, digest: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([previous, Buffer.from(`${number} ${eventId}\n`), digest]), 'buffer')
}

/** Sorted, as in every object of the canonical form. */
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

export function digestEvent(salt: Uint8Array, event: Row): Buffer {
  return hash('sha256', Buffer.concat([salt, Buffer.from(canonicalEvent(event))]), 'buffer')
}

export function canonicalEvent(event: Row): string {
  return writeObject(event, fields)
}

/** JSON with sorted keys and without nulls, so that it does not matter how an event was read. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  return writeObject(value, Object.keys(value).sort())
}

// By concatenation: arrays of entries would be most of what sealing an event costs.
function writeObject(value: Row, keys: readonly string[]): string {
  let text = ''
  for (const key of keys) {
    const held = value[key]
    if (held === null || held === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(held)}`
  }
  return `{${text}}`
}
