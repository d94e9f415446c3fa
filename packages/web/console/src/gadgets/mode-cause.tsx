import type { SiteZone } from '@gatehouse-access/api'
import { Link } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { emergencyName } from '../emergencies/emergency.ts'
import { t } from '../language/t.ts'
import { type Mode, untilWords } from '../modes/mode.ts'
import { inZone, momentAt } from '../parts/door-time.ts'
import { NameLink } from '../parts/name.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'

interface CauseProps {
  readonly mode: Mode
  readonly site_id: string
}

/** Says what sets the mode of a door, and until when. */
export function ModeCause({ mode, site_id }: CauseProps) {
  const { data: zone } = useZone(site_id)
  const until = inZone(untilWords(mode.until, zone), mode.until ? zone : undefined)
  if (mode.source === 'fire')
    return <span>By the fire alarm of the site, since {since(mode, zone)}, until somebody resets it.</span>
  if (mode.source === 'emergency') return <ByEmergency mode={mode} zone={zone} until={until} />
  if (mode.source === 'override')
    return (
      <span>
        {mode.effective === 'unlocked' ? 'Unlocked' : 'Locked'} by hand on {since(mode, zone)}, {until}.
      </span>
    )
  if (mode.unlock_rule_id) return <ByRule mode={mode} id={mode.unlock_rule_id} until={until} />
  return <span>{mode.until ? `Nothing else is set, ${until}.` : 'Nothing else is set now.'}</span>
}

/** The last time in a sentence names the zone. */
function since({ since, until }: Mode, zone: SiteZone | undefined): string {
  if (!since) return t('earlier')
  return inZone(momentAt(since, zone), until ? undefined : zone)
}

function ByRule({ mode, id, until }: { mode: Mode; id: string; until: string }) {
  const { sees_all } = useApi()
  const { data } = useObject('unlock_rules', sees_all ? id : undefined)
  if (!sees_all)
    return mode.effective === 'unlocked' ? (
      <span>By an unlock rule, {until}.</span>
    ) : (
      <span>An unlock rule waits for its first person.</span>
    )
  const rule = <NameLink href={`/unlock-rules/${id}`}>{data?.name ?? 'Unlock rule'}</NameLink>
  if (mode.effective === 'unlocked')
    return (
      <span>
        By the unlock rule {rule}, {until}.
      </span>
    )
  return <span>The unlock rule {rule} waits for its first person.</span>
}

interface ByEmergencyProps {
  readonly mode: Mode
  readonly zone: SiteZone | undefined
  readonly until: string
}

function ByEmergency({ mode, zone, until }: ByEmergencyProps) {
  const { sees_people } = useApi()
  const [id, ...others] = mode.emergency_ids ?? []
  const { data } = useObject('emergencies', sees_people ? id : undefined)
  return (
    <span>
      By{' '}
      {data ? (
        <Link href={`/emergencies/${id}`} className="name-link">
          <bdi>{emergencyName(data)}</bdi>
        </Link>
      ) : (
        t('an active emergency')
      )}
      {others.length > 0 && ` and ${others.length} more`}, since {since(mode, zone)},{' '}
      {mode.until ? until : 'until somebody ends it'}.
    </span>
  )
}
