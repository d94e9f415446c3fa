import { Badge } from '@mantine/core'
import { Link } from 'wouter'
import { usePoll } from '../data/use-poll.ts'
import { useNow } from '../parts/time.tsx'
import { Arrival } from './arrival.tsx'
import { type Emergency, emergencyName, lengthWords, typeNames } from './emergency.ts'
import { EndButton } from './end-button.tsx'
import { PlanIcon } from './plan-icon.tsx'
import './banners.css'

/** How many are told in full. */
export const mostBanners = 3

interface BannersProps {
  readonly emergencies: readonly Emergency[]
}

/** Says of each emergency that it is active, for how long, and whether it has arrived. */
export function Banners({ emergencies }: BannersProps) {
  usePoll(
    emergencies.some(({ arrival }) => arrival === 'pending'),
    'emergencies',
  )
  return (
    <section className="emergency-banners" aria-label="Active emergencies">
      {emergencies.slice(0, mostBanners).map(emergency => (
        <Banner key={emergency.id} emergency={emergency} />
      ))}
      {emergencies.length > mostBanners && (
        <Link href="/emergencies" className="emergency-more">
          {emergencies.length - mostBanners} more
        </Link>
      )}
    </section>
  )
}

function Banner({ emergency }: { emergency: Emergency }) {
  const now = useNow(10_000)
  const name = emergencyName(emergency)
  return (
    <div className="emergency-banner" data-type={emergency.type} data-drill={emergency.is_drill}>
      <PlanIcon type={emergency.type} size={22} />
      <div className="emergency-text">
        <div className="emergency-title" role="alert">
          {emergency.is_drill && (
            <Badge color="white" variant="outline">
              Drill
            </Badge>
          )}
          <Link href={`/emergencies/${emergency.id}`}>
            <bdi className="name">{name}</bdi>
          </Link>
          {name !== typeNames[emergency.type] && <span>{typeNames[emergency.type]}</span>}
        </div>
        <div className="emergency-facts">
          <span className="nowrap">{lengthWords(emergency.started_at, now)}</span>
          <Arrival emergency={emergency} />
        </div>
      </div>
      <EndButton emergency={emergency} />
    </div>
  )
}
