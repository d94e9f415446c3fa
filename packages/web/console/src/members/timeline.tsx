import type { SiteZone } from '@gatehouse-access/api'
import type { Zoned } from '../form/moment-input.tsx'
import { t } from '../language/t.ts'
import { inZone, momentAt, momentsIn } from '../parts/door-time.ts'
import { Section } from '../parts/page.tsx'
import { formatAgo, useNow } from '../parts/time.tsx'
import { EndNow } from './end-now.tsx'
import type { Member } from './member.ts'
import { useDatesZone } from './use-dates-zone.ts'
import { afterTheEnd, standingOf } from './validity.ts'

const day = 86_400_000

interface Span {
  readonly name: string
  readonly from: number | null
  readonly to: number | null
}

/** Shows when the member has access: its own dates, and those of its groups within them. */
export function Validity({ member }: { member: Member }) {
  const now = useNow(60_000)
  const zoned = useDatesZone({ member_id: member.id })
  const { zone } = zoned
  const own = toSpan(t('Member'), member)
  const spans = [
    own,
    ...member.group_associations.map(one => toSpan(one.member_group?.name ?? t('Group'), one)),
  ]
  const [begin, end] = rangeOf(spans, now)
  const place = (at: number) => ((at - begin) / (end - begin)) * 100
  return (
    <Section title="Access period" about={sayPeriod(member, zoned, now)} actions={<EndNow member={member} />}>
      <div className="timeline" role="img" aria-label={spans.map(span => say(span, zone)).join('; ')}>
        {spans.map((span, index) => (
          <div key={index} className="timeline-row">
            <span className="timeline-name two-lines">
              <bdi>{span.name}</bdi>
            </span>
            <svg className="timeline-track" viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden>
              <rect x={0} y={0} width={100} height={14} className="timeline-ground" />
              <rect
                x={place(span.from ?? begin)}
                width={Math.max(0.6, place(span.to ?? end) - place(span.from ?? begin))}
                y={2}
                height={10}
                className={index === 0 ? 'timeline-bar' : 'timeline-bar timeline-group'}
              />
              <line x1={place(now)} x2={place(now)} y1={0} y2={14} className="timeline-now" />
            </svg>
          </div>
        ))}
        <div className="timeline-scale" aria-hidden>
          <span>{label(begin, own.from === null, zone)}</span>
          <span>{label(end, own.to === null, zone)}</span>
        </div>
      </div>
    </Section>
  )
}

interface Dated {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

function toSpan(name: string, { starts_at, ends_at }: Dated): Span {
  return { name, from: starts_at ? Date.parse(starts_at) : null, to: ends_at ? Date.parse(ends_at) : null }
}

/** Adds a margin to the range of all dates and the present, so that open ends are visible as open. */
function rangeOf(spans: readonly Span[], now: number): readonly [number, number] {
  const dates = [now, ...spans.flatMap(({ from, to }) => [from ?? now, to ?? now])]
  const [least, most] = [Math.min(...dates), Math.max(...dates)]
  const margin = Math.max(day, (most - least) * 0.12)
  return [least - margin, most + margin]
}

function label(at: number, is_open: boolean, zone: SiteZone | undefined): string {
  return is_open ? '…' : momentAt(new Date(at).toISOString(), zone)
}

function say({ name, from, to }: Span, zone: SiteZone | undefined): string {
  const moment = (at: number) => momentAt(new Date(at).toISOString(), zone)
  const start = from === null ? t('no start date') : t(`from ${moment(from)}`)
  return `${name}: ${start}, ${to === null ? t('no end date') : t(`until ${moment(to)}`)}`
}

/** The date that the sentence about a member names. */
const dateSaid = {
  active: 'ends_at',
  ended: 'ends_at',
  upcoming: 'starts_at',
  suspended: 'suspended_until',
  deleted: null,
} as const

/** Names the zone where it is not that of the browser, and says the same moment in the others. */
function sayPeriod(member: Member, { zone, others = [] }: Zoned, now: number): string {
  const period = sayValidity(member, zone, now)
  const standing = standingOf(member, now)
  const said = dateSaid[standing]
  const at = said && member[said]
  if (!at) return period
  const note = said === 'ends_at' ? [afterTheEnd] : []
  return [inZone(period, zone), ...momentsIn(at, others), ...note].join(' · ')
}

function sayValidity(member: Member, zone: SiteZone | undefined, now: number): string {
  const { starts_at, ends_at } = member
  const standing = standingOf(member, now)
  if (standing === 'deleted') return t('Deleted. This member cannot open anything.')
  if (standing === 'suspended')
    return member.suspended_until
      ? t(`Suspended: cannot open anything until ${momentAt(member.suspended_until, zone)}`)
      : t('Suspended. This member cannot open anything until that is lifted.')
  if (standing === 'upcoming' && starts_at)
    return t(`Starts ${formatAgo(starts_at, now)}, on ${momentAt(starts_at, zone)}`)
  if (standing === 'ended' && ends_at)
    return t(`Ended ${formatAgo(ends_at, now)}, on ${momentAt(ends_at, zone)}`)
  return ends_at
    ? t(`Valid until ${momentAt(ends_at, zone)}, ${formatAgo(ends_at, now)}`)
    : t('Valid with no end date')
}
