import type { Activity } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { reasonText } from '../events/reason-words.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'
import { type Bar, BarPlot, hourName } from '../parts/bar-plot.tsx'
import { Failure } from '../parts/failure.tsx'
import { formatDay, formatExact, formatMoment } from '../parts/format-time.ts'
import { LoadingPage } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import type { Line } from '../parts/report-table.tsx'
import { useApi } from '../session/use-api.ts'
import { ReportSection } from './report-section.tsx'

interface ActivityProps {
  readonly from: string
  readonly until: string
  readonly site_id: string | null
  /** Whether the plot has a bar for each day instead of each hour. */
  readonly is_daily: boolean
}

export function ActivityReport({ from, until, site_id, is_daily }: ActivityProps) {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'activity', from, until, site_id),
    queryFn: ({ signal }) =>
      client.organization.activity({ from, until, ...(site_id && { site_id }), signal }),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <LoadingPage />
  const file = `${from.slice(0, 10)}-${until.slice(0, 10)}`
  return (
    <>
      <AtAGlance report={data} is_daily={is_daily} />
      <ReportSection
        title="By door"
        about={mostWords(data.by_gadget.length, data.gadget_count)}
        heads={[t('Door'), t('Opened'), t('Denied'), t('Last')]}
        lines={data.by_gadget.map(doorLine)}
        none="No door was used."
        file={`doors-${file}`}
      />
      <ReportSection
        title="By person"
        about={mostWords(data.by_member.filter(({ member_id }) => member_id).length, data.member_count)}
        heads={[t('Person'), t('Opened'), t('Denied'), t('Last')]}
        lines={data.by_member.map(personLine)}
        none="Nobody used a door."
        file={`people-${file}`}
      />
      <ReportSection
        title="Denials by reason"
        heads={[t('Reason'), t('Denied'), t('Last')]}
        lines={data.by_reason.map(({ reason, denials, last_at }) => ({
          key: reason,
          cells: [reasonText(reason), count(denials), formatExact(last_at)],
        }))}
        none="Nobody was denied."
        file={`denials-${file}`}
      />
    </>
  )
}

function mostWords(shown: number, all: number): string | undefined {
  return shown < all ? t(`The ${count(shown)} with the most, of ${count(all)}.`) : undefined
}

function doorLine({ gadget_id, name, uses, denials, last_at }: Activity['by_gadget'][number]): Line {
  return {
    key: gadget_id,
    cells: [name ?? gadget_id, count(uses), count(denials), formatExact(last_at)],
    href: `/gadgets/${gadget_id}`,
  }
}

function personLine({ member_id, name, uses, denials, last_at }: Activity['by_member'][number]): Line {
  return {
    key: member_id ?? '',
    cells: [
      member_id ? name || t('Unnamed') : t('No known member'),
      count(uses),
      count(denials),
      formatExact(last_at),
    ],
    href: member_id ? `/members/${member_id}` : undefined,
  }
}

function AtAGlance({ report, is_daily }: { report: Activity; is_daily: boolean }) {
  const { uses, denials, member_count, gadget_count, from, until, counted_from } = report
  const bars = is_daily ? daysOf(report) : hoursOf(report)
  const nameOf = (start: number) => (is_daily ? formatDay(new Date(start).toISOString()) : hourName(start))
  const [begin, end] = [Date.parse(from), Date.parse(until)]
  // The last day is named, not the midnight after it.
  const ticks = [nameOf(begin), nameOf((begin + end) / 2), is_daily ? nameOf(end - 1) : '24:00']
  return (
    <Section
      title="At a glance"
      about={
        counted_from > from
          ? `Only since ${formatMoment(counted_from)}: there was too much to count.`
          : undefined
      }
    >
      <dl className="report-numbers">
        {[
          [t('Opened'), uses],
          [t('Denied'), denials],
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
          nameOf={nameOf}
          ticks={ticks}
        />
      )}
    </Section>
  )
}

const hour = 3_600_000

/** A bar for each hour of the period, by the clock of the browser. */
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
function daysOf({ from, until, by_hour }: Activity): Bar[] {
  const bars: { start: number; used: number; denied: number }[] = []
  for (let day = new Date(from); day.getTime() < Date.parse(until); ) {
    bars.push({ start: day.getTime(), used: 0, denied: 0 })
    day = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
  }
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
