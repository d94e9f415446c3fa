import { hash } from 'node:crypto'
import { unescapeText } from './content-lines.ts'
import type { IcsEvent } from './read-events.ts'

const longestUid = 200

/** Each occurrence has a name of its own. */
export function occurrenceUid(uid: string, date: string): string {
  return `${uid} on ${date}`
}

/** Returns the UID in the file that a day was read from. */
export function eventUid(uid: string): string {
  return uid.replace(/ on \d{4}-\d\d-\d\d$/, '')
}

export function uidOf(event: IcsEvent): string | null {
  const uid = event.get('UID')?.[0]?.value.trim().replaceAll('\0', '').toWellFormed()
  if (!uid) return null
  return uid.length > longestUid ? `sha256:${hash('sha256', uid, 'hex')}` : uid
}

export function textOf(event: IcsEvent, name: string): string {
  return event.get(name)?.[0]?.value.trim().toUpperCase() ?? ''
}

/** Names are one line of at most 255 characters. */
export function nameOf(event: IcsEvent): string | null {
  const given = unescapeText(event.get('SUMMARY')?.[0]?.value.slice(0, 2000) ?? '')
  const line = given
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed()
  return [...line].slice(0, 255).join('') || null
}
