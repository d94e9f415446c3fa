import { useMemo } from 'react'
import { useObject } from '../data/use-object.ts'
import { localDate } from '../parts/local-clock.ts'
import type { SpecialDay } from '../schedules/schedule.ts'
import { useSiteDays, useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { specialWords } from './rule.ts'

interface SpecialProps {
  readonly days: readonly SpecialDay[]
  /** The site of the rule. Without one, the days differ from site to site and are not counted. */
  readonly site_id: string | null | undefined
}

/** Says what happens on special days, and how many there are: `not on holidays (12 days this year at Madrid)`. */
export function SpecialWords({ days, site_id }: SpecialProps) {
  const { sees_all } = useApi()
  return (
    <>
      {days.map((day, index) => (
        <span key={day.kind}>
          {index > 0 && ', '}
          {specialWords([day])}
          {sees_all && site_id && <Count kind={day.kind} site_id={site_id} />}
        </span>
      ))}
    </>
  )
}

function Count({ kind, site_id }: { kind: string; site_id: string }) {
  const { data: site } = useObject('sites', site_id)
  const { data: zone } = useZone(site_id)
  const year = zone && localDate(zone, Date.now()).slice(0, 4)
  const period = useMemo(() => (year ? { from: `${year}-01-01`, to: `${year}-12-31` } : undefined), [year])
  const { data } = useSiteDays(site_id, period)
  if (!data || !site) return null
  const count = data.data.filter(({ kinds }) => kinds.includes(kind)).length
  return (
    <span className="soft">
      {` (${count} ${count === 1 ? 'day' : 'days'} this year at `}
      <bdi>{site.name}</bdi>)
    </span>
  )
}
