import { Badge } from '@mantine/core'
import { useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RecentEvents } from '../parts/recent-events.tsx'
import { formatExact, useNow } from '../parts/time.tsx'
import { OwnTime } from '../sites/own-time.tsx'
import { mostBanners } from './banners.tsx'
import { type Emergency, emergencyName, isActive, lengthWords, typeNames } from './emergency.ts'
import { EmergencyDoors } from './emergency-doors.tsx'
import { EndButton } from './end-button.tsx'
import { PlanSummary } from './plan-summary.tsx'
import { useActiveEmergencies } from './use-active.ts'
import './emergencies.css'

export function EmergencyDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject('emergencies', id)
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown emergency={data} />
}

function Shown({ emergency }: { emergency: Emergency }) {
  const is_active = isActive(emergency)
  const { items } = useActiveEmergencies()
  const has_banner = items.slice(0, mostBanners).some(({ id }) => id === emergency.id)
  return (
    <Page
      title={emergencyName(emergency)}
      trail={[[t('Emergencies'), '/emergencies']]}
      badge={
        <>
          <Badge color={is_active ? 'red' : 'gray'}>{is_active ? 'Ongoing' : 'Ended'}</Badge>
          {emergency.is_drill && <Badge color="blue">Drill</Badge>}
        </>
      }
      subtitle={typeNames[emergency.type]}
      actions={is_active && !has_banner && <EndButton emergency={emergency} />}
    >
      <div className="columns">
        <EmergencyDoors emergency={emergency} />
        <div className="stack">
          <About emergency={emergency} />
          <Section title="What it concerns" about="As of its start. Doors that are added to it later join.">
            <PlanSummary plan={emergency} />
          </Section>
          <RecentEvents filter="object.emergency_id" id={emergency.id} nothing="No events yet." />
        </div>
      </div>
    </Page>
  )
}

function About({ emergency }: { emergency: Emergency }) {
  const { emergency_plan_id: plan_id } = emergency
  return (
    <Section title="About">
      <Facts
        facts={[
          [t('Started'), <OwnTime key="start" at={emergency.started_at} format={formatExact} />],
          [t('Reason'), <bdi key="reason">{emergency.reason ?? '–'}</bdi>],
          emergency.ended_at
            ? [t('Ended'), <OwnTime key="end" at={emergency.ended_at} format={formatExact} />]
            : [
                t('Ends by itself'),
                emergency.ends_at ? <OwnTime key="ends" at={emergency.ends_at} /> : t('No'),
              ],
          ...(emergency.end_reason ? ([[t('Ended because'), emergency.end_reason]] as const) : []),
          [t('Lasts'), <Length key="length" emergency={emergency} />],
          [
            t('Plan'),
            plan_id ? (
              <NameLink key="plan" href={`/emergencies/plans/${plan_id}`}>
                {emergencyName(emergency)}
              </NameLink>
            ) : (
              t('None')
            ),
          ],
          [
            'ID',
            <span key="id" className="mono">
              {emergency.id}
            </span>,
          ],
        ]}
      />
    </Section>
  )
}

function Length({ emergency: { started_at, ended_at } }: { emergency: Emergency }) {
  const now = useNow(10_000)
  return <>{lengthWords(started_at, ended_at ? Date.parse(ended_at) : now)}</>
}
