import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { useLiveEvents } from '../live/live.tsx'
import { useApi } from '../session/use-api.ts'

/** Milliseconds between two looks while a job runs. */
const gap = 2000

/** A bar at the edge of every screen while an import runs, that leads to it. */
export function JobsBar() {
  const { client, organization } = useApi()
  const [is_watching, setWatching] = useState(true)
  useLiveEvents(events => {
    if (events.some(({ object }) => object.type === 'job')) setWatching(true)
  })
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'jobs', 'running'),
    queryFn: ({ signal }) => client.jobs.list({ state: 'running', type: 'import', limit: 3, signal }),
    refetchInterval: gap,
    enabled: is_watching,
  })
  const job = data?.data[0]
  useEffect(() => {
    if (data && data.data.length === 0) setWatching(false)
  }, [data])
  if (!job) return null
  const { done, total } = job.progress
  const percent = total ? Math.floor((done / total) * 100) : 0
  return (
    <aside className="jobs-bar" aria-label="Running import">
      <Link href={`/jobs/${job.id}`} aria-label={`Import, ${percent} % done`}>
        <Progress value={percent} size={4} radius={0} aria-hidden />
      </Link>
    </aside>
  )
}
