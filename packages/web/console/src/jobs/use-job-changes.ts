import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useRefresh } from '../data/use-refresh.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { useApi } from '../session/use-api.ts'
import type { Job } from './job.ts'

/** What people do with jobs. A start and an undo lead to the job that does it. */
export function useJobChanges(job: Job) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [is_busy, setBusy] = useState(false)
  const run = async (work: () => Promise<{ readonly id: string }>, done: string, failed: string) => {
    setBusy(true)
    try {
      const { id } = await work()
      notifications.show({ message: done })
      if (id !== job.id) go(`/jobs/${id}`)
    } catch (error) {
      showFailure(error, failed)
    } finally {
      setBusy(false)
      refresh('jobs')
    }
  }
  return {
    is_busy,
    cancel: () => run(() => client.jobs.cancel(job.id), t('Canceled'), t('Could not cancel')),
    start: () => run(() => client.jobs.start(job.id), t('Started'), t('Could not start')),
    undo: () => run(() => client.jobs.undo(job.id), t('Undo started'), t('Could not undo')),
  }
}
