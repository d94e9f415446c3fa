import type { JobState, JobTypeName } from '@gatehouse-access/api'
import type { Job } from './job.ts'

const types: Record<JobTypeName, string> = {
  import: 'Import',
  export: 'Export',
  bulk: 'Change of many',
  erasure: 'Erasure',
  member_data: 'Data of a member',
  booking_sync: 'Bookings',
  calendar_refresh: 'Calendar',
}

/** What a job is, in a few words. */
export function jobName({ type, is_dry_run, undo_of_job_id }: Job): string {
  const name = undo_of_job_id ? `Undo: ${types[type].toLowerCase()}` : types[type]
  return is_dry_run ? `${name} (dry run)` : name
}

export const stateWords: Record<JobState, { readonly label: string; readonly color: string }> = {
  queued: { label: 'Waiting', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  awaiting: { label: 'Ready to start', color: 'yellow' },
  succeeded: { label: 'Done', color: 'teal' },
  partly_succeeded: { label: 'Partly done', color: 'yellow' },
  failed: { label: 'Failed', color: 'red' },
  canceled: { label: 'Canceled', color: 'gray' },
}

/** How far it is: `4,200 of 10,000, 37 refused`. */
export function progressWords({ progress }: Pick<Job, 'progress'>): string {
  const { total, done, skipped, failed } = progress
  const format = (count: number) => count.toLocaleString('en')
  const all = total == null || total === done ? format(done) : `${format(done)} of ${format(total)}`
  return [
    all,
    ...(skipped > 0 ? [`${format(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${format(failed)} refused`] : []),
  ].join(', ')
}

const counted = {
  created: 'Created',
  updated: 'Changed',
  unchanged: 'Unchanged',
  deleted: 'Deleted',
  restored: 'Restored',
  credentials_created: 'New credentials',
} as const

/** The counts that are not zero. */
export function summaryFacts({ summary }: Pick<Job, 'summary'>): [string, string][] {
  return (Object.keys(counted) as (keyof typeof counted)[])
    .filter(name => summary[name] > 0)
    .map(name => [counted[name], summary[name].toLocaleString('en')])
}
