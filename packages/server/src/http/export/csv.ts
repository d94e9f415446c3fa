import { nobody, objectIdFields, valueAt } from '@gatehouse-access/api'
import { csvLine } from '@gatehouse-access/core'
import type { Row } from '../../database/db.ts'

const subjectFields = Object.keys(nobody).filter(name => name !== 'client')

/** All scalar values of an event, by path. */
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

export const csvHead = csvLine(columns)

export function eventLine(event: Row): string {
  return csvLine(columns.map(path => valueAt(event, path)))
}
