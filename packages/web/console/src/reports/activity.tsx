import type { Activity, SiteZone } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { reasonText } from '../events/reason-words.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { midnight } from '../lists/days-filter.ts'
import { type Bar, BarPlot, hourName } from '../parts/bar-plot.tsx'
import { dayAt, exactAt, inZone, momentAt } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { browserZone } from '../parts/format-time.ts'
import { LoadingPage } from '../parts/loading.tsx'
import { localDate, localTime } from '../parts/local-clock.ts'
import { Section } from '../parts/page.tsx'
import type { Line } from '../parts/report-table.tsx'
import { useApi } from '../session/use-api.ts'
import { ReportSection } from './report-section.tsx'

interface ActivityProps {
  readonly from: string
  readonly until: string
  readonly site_id: string | null
  /** Whose days they are. Undefined: of the browser. */
  readonly zone: SiteZone | undefined
  /** Whether the plot has a bar for each day instead of each hour. */
  readonly is_daily: boolean
}

export function ActivityReport({ from, until, site_id, zone, is_daily }: ActivityProps) {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'activity', from, until, site_id),
    queryFn: ({ signal }) =>
      client.organization.activity({ from, until, ...(site_id && { site_id }), signal }),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <LoadingPage />
  const timezone = zone?.timezone ?? browserZone
  const file = `${dateAt(Date.parse(from), zone)}-${dateAt(Date.parse(until) - 1, zone)}`
  const timeAt = (at: string) => exactAt(at, zone)
  return (
    <>
      <AtAGlance report={data} zone={zone} is_daily={is_daily} />
      <ReportSection
        title="By door"
        about={mostWords(data.by_gadget.length, data.gadget_count)}
        heads={[t('Door'), t('Opened', 'count'), t('Denied', 'count'), t('Last')]}
        lines={data.by_gadget.map(line => doorLine(line, timeAt))}
        none="No door was used."
        timezone={timezone}
        file={`doors-${file}`}
      />
      <ReportSection
        title="By person"
        about={mostWords(data.by_member.filter(({ member_id }) => member_id).length, data.member_count)}
        heads={[t('Person'), t('Opened', 'count'), t('Denied', 'count'), t('Last')]}
        lines={data.by_member.map(line => personLine(line, timeAt))}
        none="Nobody used a door."
        timezone={timezone}
        file={`people-${file}`}
      />
      <ReportSection
        title="Denials by reason"
        heads={[t('Reason'), t('Denied', 'count'), t('Last')]}
        lines={data.by_reason.map(({ reason, denials, last_at }) => ({
          key: reason,
          cells: [reasonText(reason), count(denials), timeAt(last_at)],
        }))}
        none="Nobody was denied."
        timezone={timezone}
        file={`denials-${file}`}
      />
    </>
  )
}

/** Returns `2026-11-19`. */
function dateAt(at: number, zone: SiteZone | undefined): string {
  if (zone) return localDate(zone, at)
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(browserZone).toPlainDate().toString()
}

function mostWords(shown: number, all: number): string | undefined {
  return shown < all ? t(`The ${count(shown)} with the most, of ${count(all)}.`) : undefined
}

type TimeAt = (at: string) => string

function doorLine(
  { gadget_id, name, uses, denials, last_at }: Activity['by_gadget'][number],
  timeAt: TimeAt,
): Line {
  return {
    key: gadget_id,
    cells: [name ?? gadget_id, count(uses), count(denials), timeAt(last_at)],
    href: `/gadgets/${gadget_id}`,
  }
}

function personLine(
  { member_id, name, uses, denials, last_at }: Activity['by_member'][number],
  timeAt: TimeAt,
): Line {
  return {
    key: member_id ?? '',
    cells: [
      member_id ? name || t('Unnamed') : t('No known member'),
      count(uses),
      count(denials),
      timeAt(last_at),
    ],
    href: member_id ? `/members/${member_id}` : undefined,
  }
}

interface GlanceProps {
  readonly report: Activity
  readonly zone: SiteZone | undefined
  readonly is_daily: boolean
}

function AtAGlance({ report, zone, is_daily }: GlanceProps) {
  const { uses, denials, member_count, gadget_count, from, until, counted_from } = report
  const bars = is_daily ? daysOf(report, zone) : hoursOf(report)
  const nameOf = (start: number) => {
    if (is_daily) return dayAt(new Date(start).toISOString(), zone)
    return zone ? hourName(localTime(zone, start).getTime(), 'UTC') : hourName(start)
  }
  const [begin, end] = [Date.parse(from), Date.parse(until)]
  // The last day is named, not the midnight after it.
  const ticks = [nameOf(begin), nameOf((begin + end) / 2), is_daily ? nameOf(end - 1) : '24:00']
  return (
    <Section
      title="At a glance"
      about={
        counted_from > from
          ? `Only since ${momentAt(counted_from, zone)}: there was too much to count.`
          : undefined
      }
    >
      <dl className="report-numbers">
        {[
          [t('Opened', 'count'), uses],
          [t('Denied', 'count'), denials],
          [t('People'), member_count],
          [t('Doors'), gadget_count],
        ].map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count(Number(value))}</dd>
          </div>
        ))}
      </dl>
      {uses + denials === 0 ? (
        <Text size="sm">Nothing happened in this time.</Text>
      ) : (
        <BarPlot
          label={is_daily ? 'Activity by day' : 'Activity by hour'}
          bars={bars}
          nameOf={start => inZone(nameOf(start), zone)}
          ticks={ticks}
        />
      )}
    </Section>
  )
}

const hour = 3_600_000

/** A bar for each hour of the period. */
function hoursOf({ from, until, by_hour }: Activity): Bar[] {
  const begin = Date.parse(from)
  const bars = Array.from({ length: Math.ceil((Date.parse(until) - begin) / hour) }, (_, index) => ({
    start: begin + index * hour,
    used: 0,
    denied: 0,
  }))
  for (const { at, uses, denials } of by_hour) {
    // Hours of zones with half an hour begin in the middle of those that are counted.
    const bar = bars[Math.max(0, Math.floor((Date.parse(at) - begin) / hour))]
    if (!bar) continue
    bar.used += uses
    bar.denied += denials
  }
  return bars
}

/** A bar for each day: by the calendar, since days in which the clocks change have 23 or 25 hours. */
function daysOf({ from, until, by_hour }: Activity, zone: SiteZone | undefined): Bar[] {
  const bars: { start: number; used: number; denied: number }[] = []
  for (let start = Date.parse(from); start < Date.parse(until); start = Date.parse(midnight(start, 1, zone)))
    bars.push({ start, used: 0, denied: 0 })
  for (const { at, uses, denials } of by_hour) {
    const bar = bars.findLast(({ start }) => start <= Date.parse(at)) ?? bars[0]
    if (!bar) continue
    bar.used += uses
    bar.denied += denials
  }
  return bars
}

function count(number: number): string {
  return number.toLocaleString(locale)
}
