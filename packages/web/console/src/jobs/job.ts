import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

interface Maker {
  readonly created_by_user?: { readonly name: string | null; readonly email: string } | null
  readonly created_by_oauth_application?: { readonly name: string } | null
}

export type Job = ItemOf<'jobs'> & Maker

/** What lists and pages of jobs embed. */
export const jobExpands = ['created_by_user', 'created_by_oauth_application']

export function isUnfinished({ state }: Pick<Job, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

export function makerName({ created_by_user: user, created_by_oauth_application: application }: Job): string {
  return user?.name ?? user?.email ?? application?.name ?? t('somebody who has left')
}
