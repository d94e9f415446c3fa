import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '../icons/icons.ts'
import { useNow } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { isUnfinished, type Job } from './job.ts'
import { useJobChanges } from './use-job-changes.ts'

/** What can be done with a job. Hidden from viewers. */
export function JobActions({ job }: { job: Job }) {
  const { may_write } = useApi()
  const { is_busy, cancel, start, undo } = useJobChanges(job)
  const now = useNow(30_000)
  if (!may_write) return null
  const canUndo = job.can_undo_until !== null && Date.parse(job.can_undo_until) > now
  return (
    <>
      {(isUnfinished(job) || job.state === 'awaiting') && (
        <Button variant="default" leftSection={<IconX size={14} />} onClick={cancel} loading={is_busy}>
          Cancel
        </Button>
      )}
      {canUndo && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={14} />}
          onClick={undo}
          loading={is_busy}
        >
          Undo
        </Button>
      )}
      {job.state === 'awaiting' && (
        <Button leftSection={<IconCheck size={14} />} onClick={start} loading={is_busy}>
          Start now
        </Button>
      )}
    </>
  )
}
