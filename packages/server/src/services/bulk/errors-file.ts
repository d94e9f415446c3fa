import { csvLine } from '@gatehouse-access/core'
import type { FilePart, JobRow } from '../jobs/job-type.ts'

export const errorsFile = { name: 'errors.csv', media_type: 'text/csv' } as const

/** Names the members that were refused or left as they are, and why. */
export function errorsPart(isFirst: boolean, rows: readonly JobRow[]): FilePart[] {
  const lines = rows.filter(isTold).map(row => csvLine([row.object_id ?? '', problemOf(row)]))
  const text = [...(isFirst ? [csvLine(['member_id', 'problem'])] : []), ...lines].join('')
  return text === '' ? [] : [{ name: errorsFile.name, bytes: Buffer.from(text) }]
}

export function isTold({ outcome }: JobRow): boolean {
  return outcome === 'failed' || outcome === 'skipped'
}

export function problemOf({ detail }: JobRow): string {
  return (detail as { problem: string }).problem
}
