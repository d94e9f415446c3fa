import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { formatTime } from './describe-alarm.ts'

export type Job = ObjectOf<Resources['job']>

export const jobHeadings = ['ID', 'TYPE', 'STATE', 'DONE', 'FAILED', 'CREATED', 'ENDED'] as const

/** Says a job in the columns of a table. */
export function describeProgress(job: Job): string[] {
  const { id, type, state, progress, created_at, ended_at, is_dry_run } = job
  const total = progress.total == null ? '' : ` of ${progress.total}`
  return [
    id,
    is_dry_run ? `${type} (dry run)` : type,
    state,
    `${progress.done}${total}`,
    String(progress.failed),
    formatTime(created_at),
    ended_at === null ? '' : formatTime(ended_at),
  ]
}

export function sayState({ id, state, progress, error }: Job): string {
  const { done, succeeded, skipped, failed } = progress
  const counts = `${done} done: ${succeeded} succeeded, ${skipped} skipped, ${failed} failed`
  return `${id} is ${state}. ${counts}.${error ? ` ${error.message}.` : ''}`
}
