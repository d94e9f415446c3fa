import { nobody, objectIdFields, valueAt } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'

const subjectFields = Object.keys(nobody).filter(name => name !== 'client')

/** Every plain value of an event, by its path. */
const columns = [
  'id',
  'created_at',
  'recorded_at',
  'verb',
  'object.type',
  ...objectIdFields.map(name => `object.${name}`),
  'object.reason',
  ...subjectFields.map(name => `subject.${name}`),
  'subject.client.user_agent',
  'clock_adjusted',
]

export const csvHead = `${columns.join(',')}\r\n`

export function csvLine(event: Row): string {
  return `${columns.map(path => cell(valueAt(event, path))).join(',')}\r\n`
}

/** Quoted where it must be. What a spreadsheet would take for a formula gets an apostrophe before it. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
