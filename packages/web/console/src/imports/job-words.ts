import type { ObjectOf, Resources } from '@gatehouse-access/api'

export type Job = ObjectOf<Resources['job']>

export function isOngoing({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Says in a line where an import is. `many` is what it imports. */
export function titleOf({ state, progress, is_dry_run, undo_of_job_id }: Job, many: string): string {
  const { succeeded, failed, total } = progress
  const refused = failed > 0 ? `, ${failed.toLocaleString('en')} refused` : ''
  const done = succeeded.toLocaleString('en')
  switch (state) {
    case 'queued':
      return 'Waiting for its turn'
    case 'running':
      if (undo_of_job_id) return 'Undoing the import'
      return is_dry_run ? 'Checking the file' : `Importing ${many}`
    case 'awaiting':
      if (undo_of_job_id) return `${done} of ${total ?? 0} rows would be undone`
      return `${(total ?? 0).toLocaleString('en')} rows${failed > 0 ? `, ${failed.toLocaleString('en')} with problems, which will be left out` : ''}`
    case 'failed':
      return 'The import failed'
    case 'canceled':
      return `Stopped, ${done} imported`
    default:
      if (undo_of_job_id) return 'Import undone'
      return is_dry_run ? 'This check was used' : `${done} imported${refused}`
  }
}
