import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { Pick } from '../form/pick.tsx'
import { type Span, spanOf, spans, spanWords } from '../lists/days-filter.ts'
import { useListParams } from '../lists/use-list-params.ts'
import { Page } from '../parts/page.tsx'
import { ActivityReport } from './activity.tsx'
import { AccessReview } from './review.tsx'
import './reports.css'
import { UnusedReport } from './unused.tsx'
import { WeeklyReport } from './weekly.tsx'

const order: readonly Span[] = ['yesterday', 'today', 'week', 'month']

/** What happened in some days, what nobody uses, and who has access: to read, to print and as CSV. */
export function Reports() {
  const [params, change] = useListParams()
  // Until the page is opened anew: numbers that change while they are read cannot be compared.
  const [now] = useState(() => Date.now())
  const when = order.find(span => span === params.get('when')) ?? 'yesterday'
  const site_id = params.get('site_id')
  const [from, until] = spanOf(when, now)
  return (
    <Page
      title="Reports"
      subtitle={spanWords(when, now)}
      actions={<Button onClick={() => window.print()}>Print</Button>}
    >
      <div className="stack">
        <div className="report-controls">
          <SegmentedControl
            aria-label="Days"
            value={when}
            onChange={value => change('when', value)}
            data={order.map(value => ({ value, label: spans[value] }))}
          />
          <Pick
            plural="sites"
            label="Site"
            placeholder="All sites"
            value={site_id}
            onChange={id => change('site_id', id)}
          />
        </div>
        <ActivityReport
          from={from}
          until={until}
          site_id={site_id}
          is_daily={when === 'week' || when === 'month'}
        />
        <UnusedReport site_id={site_id} now={now} />
        <AccessReview />
        <WeeklyReport />
      </div>
    </Page>
  )
}
