import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'

export type Job = ObjectOf<Resources['job']>

export function isOngoing({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Says in a line where an import is. `many` is what it imports. */
export function titleOf({ state, progress, is_dry_run, undo_of_job_id }: Job, many: string): string {
  const { succeeded, failed, total } = progress
  const refused = failed > 0 ? t(`, ${failed.toLocaleString(locale)} refused`) : ''
  const done = succeeded.toLocaleString(locale)
  switch (state) {
    case 'queued':
      return t('Waiting for its turn')
    case 'running':
      if (undo_of_job_id) return t('Undoing the import')
      return is_dry_run ? t('Checking the file') : t(`Importing ${many}`)
    case 'awaiting':
      if (undo_of_job_id) return t(`${done} of ${total ?? 0} rows would be undone`)
      return t(
        `${(total ?? 0).toLocaleString(locale)} rows${failed > 0 ? t(`, ${failed.toLocaleString(locale)} with problems, which will be left out`) : ''}`,
      )
    case 'failed':
      return t('The import failed')
    case 'canceled':
      return t(`Stopped, ${done} imported`)
    default:
      if (undo_of_job_id) return t('Import undone')
      return is_dry_run ? t('This check was used') : t(`${done} imported${refused}`)
  }
}
