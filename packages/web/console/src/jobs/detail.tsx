import { Alert, Progress, Text } from '@mantine/core'
import { Link, useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { Changes } from '../imports/changes.tsx'
import { problemWords } from '../imports/problem-words.ts'
import { Problems } from '../imports/problems.tsx'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { OwnTime } from '../sites/own-time.tsx'
import { JobActions } from './actions.tsx'
import { JobFiles } from './files.tsx'
import { isUnfinished, type Job, jobExpands, makerName } from './job.ts'
import { jobName, progressWords, summaryFacts } from './job-words.ts'
import { StateBadge } from './state-badge.tsx'
import { useFollow } from './use-follow.ts'

export function JobDetail() {
  const { id } = useParams<{ id: string }>()
  const {
    data: job,
    error,
    refetch,
  } = useObject<'jobs', Pick<Job, 'created_by_user'>>('jobs', id, jobExpands)
  useFollow(job !== undefined && isUnfinished(job))
  if (error && !job) return <Failure error={error} retry={refetch} is_page />
  if (!job) return <LoadingPage />
  return (
    <Page
      title={jobName(job)}
      badge={<StateBadge state={job.state} />}
      trail={[[t('Jobs'), '/jobs']]}
      actions={<JobActions job={job} />}
      narrow
    >
      {job.error && (
        <Alert color="red" title="It failed" mb="md">
          {problemWords(job.error.message)}
        </Alert>
      )}
      <JobProgress job={job} />
      <JobFiles job={job} />
      {job.type === 'import' && !isUnfinished(job) && <ImportRows job={job} />}
      {job.notices.length > 0 && (
        <Section title="Notices">
          {job.notices.map(notice => (
            <Text key={notice} size="sm">
              {problemWords(notice)}
            </Text>
          ))}
        </Section>
      )}
    </Page>
  )
}

/** What an import has refused and, if it was only tried, what it would change. */
function ImportRows({ job }: { job: Job }) {
  return (
    <>
      {job.progress.failed + job.progress.skipped > 0 && <Problems job={job} />}
      {job.state === 'awaiting' && <Changes job={job} />}
    </>
  )
}

function JobProgress({ job }: { job: Job }) {
  const { total, done } = job.progress
  const percent = total ? (100 * done) / total : isUnfinished(job) ? 0 : 100
  return (
    <Section title="Progress" about={<span role="status">{progressWords(job)}</span>}>
      {isUnfinished(job) && <Progress aria-label="How much is done" value={percent} mb="md" />}
      <Facts facts={factsOf(job)} />
    </Section>
  )
}

function factsOf(job: Job): (readonly [string, React.ReactNode])[] {
  const time = (label: string, at: string | null): (readonly [string, React.ReactNode])[] =>
    at === null ? [] : [[label, <OwnTime key={label} at={at} />]]
  const link = (label: string, id: string | null): (readonly [string, React.ReactNode])[] =>
    id === null
      ? []
      : [
          [
            label,
            <Link key={label} href={`/jobs/${id}`}>
              Open
            </Link>,
          ],
        ]
  return [
    [t('By'), <Name key="by">{makerName(job)}</Name>],
    ...time(t('Created'), job.created_at),
    ...time(t('Started'), job.started_at),
    ...time(t('Ended'), job.ended_at),
    ...time(t('Probably ends'), job.estimated_end_at),
    ...summaryFacts(job),
    ...time(t('Can be started until'), job.can_start_until),
    ...time(t('Can be undone until'), job.can_undo_until),
    ...link(t('Dry run'), job.parent_job_id),
    ...link(t('Undoes'), job.undo_of_job_id),
  ]
}
