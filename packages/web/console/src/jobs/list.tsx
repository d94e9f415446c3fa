import { useList } from '../data/use-list.ts'
import { IconListCheck } from '../icons/icons.ts'
import { Empty } from '../parts/empty.tsx'
import { Name } from '../parts/name.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Rows } from '../parts/rows.tsx'
import { Ago } from '../parts/time.tsx'
import { isUnfinished, type Job, jobExpands, makerName } from './job.ts'
import { jobName, progressWords } from './job-words.ts'
import { StateBadge } from './state-badge.tsx'
import { useFollow } from './use-follow.ts'

const columns: readonly Column<Job>[] = [
  { title: 'Job', width: '2fr', render: job => <Name>{jobName(job)}</Name> },
  { title: 'State', width: '140px', phone_width: '130px', render: job => <StateBadge state={job.state} /> },
  {
    title: 'Done',
    width: '1.5fr',
    on_phone: false,
    render: job => <span className="soft">{progressWords(job)}</span>,
  },
  { title: 'By', width: '1.5fr', on_phone: false, render: job => <Name>{makerName(job)}</Name> },
  { title: 'When', width: '110px', phone_width: '90px', render: job => <Ago at={job.created_at} /> },
]

/** What runs and ran, the newest first. */
export function JobList() {
  const list = useList<'jobs', Pick<Job, 'created_by_user'>>('jobs', { expand: jobExpands })
  useFollow(list.items.some(isUnfinished))
  return (
    <Page title="Jobs" subtitle="Work on many objects: imports, exports, changes of many. Kept for 30 days.">
      <Rows
        label="Jobs"
        list={list}
        columns={columns}
        href={job => `/jobs/${job.id}`}
        keyOf={job => job.id}
        empty={
          <Empty icon={<IconListCheck />} title="No jobs yet">
            Imports, exports and changes of many objects show here, also after you have left the page.
          </Empty>
        }
      />
    </Page>
  )
}
