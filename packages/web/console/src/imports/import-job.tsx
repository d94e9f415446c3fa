import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { IconArrowBackUp, IconDownload } from '../icons/icons.ts'
import { fileWords } from '../jobs/file-words.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { showFailure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import { Changes } from './changes.tsx'
import { isOngoing, type Job, titleOf } from './job-words.ts'
import { type ImportedKind, importedKinds } from './kinds.ts'
import { problemWords } from './problem-words.ts'
import { Problems } from './problems.tsx'

/** Milliseconds between two looks at a job that runs. */
const gap = 1000

interface ImportJobProps {
  readonly id: string
  readonly kind: ImportedKind
  /** Goes to another job, or back to choosing a file. */
  readonly onJob: (id: string | undefined) => void
}

/** A job of an import: how far it is, what is wrong, what changes, and what can be done next. */
export function ImportJob({ id, kind, onJob }: ImportJobProps) {
  const { client, organization, may_write } = useApi()
  const refresh = useRefresh()
  const { data: job, error } = useQuery({
    queryKey: keyOf(organization.id, 'jobs', 'one', id),
    queryFn: ({ signal }) => client.jobs.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && !isOngoing(state.data) ? false : gap),
  })
  if (error) throw error
  if (!job) return <LoadingPage />
  const act = (work: () => Promise<{ readonly id: string }>, failed: string) => async () => {
    try {
      const { id: next } = await work()
      refresh('jobs', kind)
      if (next !== id) onJob(next)
    } catch (cause) {
      showFailure(cause, failed)
    }
  }
  const start = act(() => client.jobs.start(id), t('Could not start the import'))
  const undo = act(() => client.jobs.undo(id), t('Could not undo the import'))
  const cancel = act(() => client.jobs.cancel(id), t('Could not stop the import'))
  const { many } = importedKinds[kind]
  const { created, updated, deleted, restored } = job.summary
  const changes = created + updated + deleted + restored
  return (
    <Stack gap="md">
      <Section
        title={titleOf(job, many)}
        about={aboutOf(job)}
        actions={
          <>
            {isOngoing(job) && may_write && (
              <Button variant="default" onClick={() => void cancel()}>
                Stop
              </Button>
            )}
            {!isOngoing(job) && (
              <Button variant="default" onClick={() => onJob(undefined)}>
                Choose another file
              </Button>
            )}
            {job.state === 'awaiting' && may_write && (
              <Button disabled={changes === 0} onClick={() => void start()}>
                {job.undo_of_job_id ? 'Undo now' : `Import ${created + updated + restored} ${many}`}
              </Button>
            )}
            {job.can_undo_until && may_write && (
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={14} />}
                onClick={() => void undo()}
              >
                Undo until <OwnTime at={job.can_undo_until} />
              </Button>
            )}
          </>
        }
      >
        {isOngoing(job) ? <Bar job={job} /> : <Numbers job={job} />}
      </Section>
      {!isOngoing(job) && <Files job={job} />}
      {job.progress.failed + job.progress.skipped > 0 && !isOngoing(job) && <Problems job={job} />}
      {job.state === 'awaiting' && <Changes job={job} />}
    </Stack>
  )
}

function aboutOf({ state, error, notices }: Job) {
  const lines = [...(error ? [error.message] : []), ...notices.slice(0, 10)].map(line => problemWords(line))
  if (state === 'queued' || state === 'running') return t('You can leave this page: it goes on.')
  return lines.length === 0 ? undefined : (
    <Stack gap={2} role="status">
      {lines.map(line => (
        <Text key={line} size="xs">
          {line}
        </Text>
      ))}
    </Stack>
  )
}

function Bar({ job: { progress } }: { job: Job }) {
  const { done, total, failed } = progress
  return (
    <Stack gap={4}>
      <Progress value={total ? (done / total) * 100 : 0} aria-label="Import progress" animated />
      <Text size="xs" c="dimmed">
        {done.toLocaleString(locale)} of {total?.toLocaleString(locale) ?? '…'} rows
        {failed > 0 && `, ${failed.toLocaleString(locale)} refused`}
      </Text>
    </Stack>
  )
}

function Numbers({ job: { summary, progress } }: { job: Job }) {
  const facts = [
    [t('New', 'count'), summary.created],
    [t('Changed', 'count'), summary.updated],
    [t('Unchanged', 'count'), summary.unchanged],
    [t('Deleted', 'count'), summary.deleted],
    [t('Restored', 'count'), summary.restored],
    [t('Refused', 'count'), progress.failed],
    [t('Left as they are'), progress.skipped],
  ] as const
  return (
    <Facts
      facts={facts
        .filter(([, count]) => count > 0)
        .map(([name, count]) => [name, count.toLocaleString(locale)])}
    />
  )
}

/** The file with secrets is sent once, so it says so before. */
function Files({ job }: { job: Job }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const shown = job.files.filter(({ name }) => name !== 'errors.csv' || job.progress.failed > 0)
  if (shown.length === 0) return null
  const save = async (name: string, media_type: string, again: boolean) => {
    try {
      saveFile(name, media_type, await client.jobs.file(job.id, name, again ? { again } : {}))
      refresh('jobs')
    } catch (error) {
      showFailure(error, t('Could not download the file'))
    }
  }
  return (
    <Group gap="xs">
      {shown.map(({ name, media_type, is_secret, fetched_at }) => (
        <Button
          key={name}
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => void save(name, media_type, is_secret && fetched_at !== null)}
        >
          {fileWords[name] ?? name}
          {is_secret && (fetched_at ? ' again' : ', for you only')}
        </Button>
      ))}
    </Group>
  )
}
