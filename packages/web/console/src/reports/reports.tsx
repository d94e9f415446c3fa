import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { periodWords, type Span, spanOf, spans } from '../lists/days-filter.ts'
import { useListParams } from '../lists/use-list-params.ts'
import { LoadingPage } from '../parts/loading.tsx'
import { Page } from '../parts/page.tsx'
import { ActivityReport } from './activity.tsx'
import { AccessReview } from './review.tsx'
import './reports.css'
import { UnusedReport } from './unused.tsx'
import { useReportZone } from './use-report-zone.ts'
import { WeeklyReport } from './weekly.tsx'

const order: readonly Span[] = ['yesterday', 'today', 'week', 'month']

/** What happened in some days, what nobody uses, and who has access: to read, to print and as CSV. */
export function Reports() {
  const [params, change] = useListParams()
  // Until the page is opened anew: numbers that change while they are read cannot be compared.
  const [now] = useState(() => Date.now())
  const given = readPeriod(params.get('when'))
  const when = order.find(span => span === params.get('when')) ?? 'yesterday'
  const site_id = params.get('site_id')
  const known = useReportZone(site_id)
  const zone = given ? undefined : known
  const period = given ?? (zone && spanOf(when, now, zone))
  return (
    <Page
      title="Reports"
      subtitle={period && periodWords(...period, zone)}
      actions={<Button onClick={() => window.print()}>Print</Button>}
    >
      <div className="stack reports">
        <div className="report-controls">
          <Select
            label="Days"
            allowDeselect={false}
            value={given ? 'given' : when}
            onChange={value => change('when', value)}
            data={[
              ...(given ? [{ value: 'given', label: t('Mailed week') }] : []),
              ...order.map(value => ({ value, label: spans[value] })),
            ]}
          />
          <Pick
            plural="sites"
            label="Site"
            placeholder="All sites"
            value={site_id}
            onChange={id => change('site_id', id)}
          />
        </div>
        {period ? (
          <ActivityReport
            from={period[0]}
            until={period[1]}
            site_id={site_id}
            zone={zone}
            is_daily={given !== undefined || when === 'week' || when === 'month'}
          />
        ) : (
          <LoadingPage />
        )}
        <UnusedReport site_id={site_id} zone={zone} now={now} />
        <AccessReview />
        <WeeklyReport />
      </div>
    </Page>
  )
}

/** Reads the period that a mailed report links to: `2026-11-08T23:00:00Z/2026-11-15T23:00:00Z`. */
function readPeriod(when: string | null): readonly [string, string] | undefined {
  const [from = '', until = ''] = when?.split('/') ?? []
  return Date.parse(from) < Date.parse(until) ? [from, until] : undefined
}
