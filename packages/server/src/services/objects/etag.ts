import { fieldsFor, RequestError, type Resource } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'

/** A tag over the fields a client can edit: it moves exactly when one of them does. */
export function etagOf(resource: Resource, row: Row): string {
  let text = ''
  for (const [name] of fieldsFor(resource, 'edit')) text += `${textOf(row[name])}\0`
  return `"${fingerprint(text)}"`
}

/** Texts of different values differ: no text that is stored contains a NUL, and no other begins with a quote. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : JSON.stringify(value ?? null)
}

/**
 * 64 bits that tell versions of one object apart. Nobody gains by making two alike, so it need not withstand that, and
 * costs a tenth of a cryptographic hash: every object that is read gets one.
 */
function fingerprint(text: string): string {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 15
  }
  return hexadecimal(mix(a ^ text.length)) + hexadecimal(mix(b ^ a))
}

/** Lets every bit depend on every other. */
function mix(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b)
  return second ^ (second >>> 16)
}

function hexadecimal(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}

export function checkPrecondition(resource: Resource, row: Row, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map(tag => tag.trim())
  const current = etagOf(resource, row)
  if (tags.includes(current)) return
  throw new RequestError(
    'precondition_failed',
    `the ${resource.kind.replaceAll('_', ' ')} has changed: If-Match is ${ifMatch.slice(0, 100)}, its ETag is ${current}`,
    {
      args: { etag: current },
    },
  )
}
