import type { JobState, JobTypeName } from '@gatehouse-access/api'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { withinSentence } from '../parts/capital.ts'
import type { Job } from './job.ts'

const types: Record<JobTypeName, string> = {
  import: t('Import'),
  export: t('Export'),
  bulk: t('Change of many'),
  erasure: t('Erasure'),
  member_data: t('Data of a member'),
  booking_sync: t('Bookings'),
  calendar_refresh: t('Calendar'),
}

/** What a job is, in a few words. */
export function jobName({ type, is_dry_run, undo_of_job_id }: Job): string {
  const name = undo_of_job_id ? t(`Undo: ${withinSentence(types[type])}`) : types[type]
  return is_dry_run ? t(`${name} (dry run)`) : name
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

/** How far it is: `4,200 of 10,000, 37 refused`, or in the end `10,000 rows`. */
export function progressWords({ type, progress }: Pick<Job, 'type' | 'progress'>): string {
  const { total, done, skipped, failed } = progress
  const format = (count: number) => count.toLocaleString(locale)
  const has_rows = type === 'import' || type === 'export'
  const is_all = total == null || total === done
  const all = is_all ? doneWords(done, has_rows) : t(`${format(done)} of ${format(total)}`)
  return [
    all,
    ...(skipped > 0 ? [t(`${format(skipped)} skipped`)] : []),
    ...(failed > 0 ? [t(`${format(failed)} refused`)] : []),
  ].join(', ')
}

function doneWords(done: number, has_rows: boolean): string {
  const count = done.toLocaleString(locale)
  if (!has_rows) return t(`${count} in all`)
  return done === 1 ? t('1 row') : t(`${count} rows`)
}

const counted = {
  created: t('New', 'count'),
  updated: t('Changed', 'count'),
  unchanged: t('Unchanged', 'count'),
  deleted: t('Deleted', 'count'),
  restored: t('Restored', 'count'),
  credentials_created: t('New credentials'),
} as const

/** The counts that are not zero. */
export function summaryFacts({ summary }: Pick<Job, 'summary'>): [string, string][] {
  return (Object.keys(counted) as (keyof typeof counted)[])
    .filter(name => summary[name] > 0)
    .map(name => [counted[name], summary[name].toLocaleString(locale)])
}
