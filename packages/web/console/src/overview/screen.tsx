import { lazy, Suspense } from 'react'
import { Page } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import { UnknownZones } from '../sites/unknown-zone.tsx'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { Doors } from './doors.tsx'
import { Feed } from './feed.tsx'
import { useLastDay } from './last-day.ts'
import './overview.css'

const OfferRule = lazy(async () => ({ default: (await import('../alarm-rules/offer-rule.tsx')).OfferRule }))
const Checklist = lazy(async () => ({ default: (await import('./checklist.tsx')).Checklist }))
const ModeStrip = lazy(async () => ({ default: (await import('./mode-strip.tsx')).ModeStrip }))

export function Screen() {
  const { organization } = useApi()
  const day = useLastDay()
  return (
    <Page
      title="Overview"
      subtitle={organization.is_test ? 'This is a test organization with virtual devices.' : undefined}
    >
      <UnknownZones />
      <Suspense>
        <OfferRule />
      </Suspense>
      <Suspense>
        <ModeStrip />
      </Suspense>
      <Suspense>
        <Checklist day={day} />
      </Suspense>
      <div className="columns">
        <div className="stack">
          <Activity day={day} />
          <Doors day={day} />
        </div>
        <div className="stack">
          <Attention />
          <Feed />
        </div>
      </div>
    </Page>
  )
}
