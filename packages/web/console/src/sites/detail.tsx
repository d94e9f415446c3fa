import { Anchor, Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import { useList } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import { IconPencil, IconSnowflake } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { MaintenanceBadge, MaintenanceButton, MaintenanceNote } from '../maintenance/maintenance.tsx'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { localTime } from '../parts/local-clock.ts'
import { Name } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveTreeButton } from '../parts/remove-tree-button.tsx'
import { Rows } from '../parts/rows.tsx'
import { Tags } from '../parts/tags.tsx'
import { formatMoment, useNow } from '../parts/time.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { DaysOff } from './days-off.tsx'
import { EditSite } from './edit-site.tsx'
import { FireAlarm } from './fire-alarm.tsx'
import { Place } from './place.tsx'
import type { SiteWithCalendars } from './site.ts'
import { UnknownZone } from './unknown-zone.tsx'
import './sites.css'

const FloorPlan = lazy(async () => ({ default: (await import('./floor-plan.tsx')).FloorPlan }))
const Today = lazy(async () => ({ default: (await import('./today.tsx')).Today }))

export function SiteDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'sites', { calendars: SiteWithCalendars['calendars'] }>(
    'sites',
    id,
    ['calendars'],
  )
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown site={data} />
}

function Shown({ site }: { site: SiteWithCalendars }) {
  const { may_write, sees_all } = useApi()
  const [is_editing, editing] = useDisclosure(useSearchParams()[0].has('edit'))
  const [is_different, different] = useDisclosure(false)
  const now = useNow(30_000)
  const { data: zone } = useZone(site.id)
  const zoneName = site.timezone.replaceAll('_', ' ')
  const maintained = {
    plural: 'sites',
    id: site.id,
    name: site.name,
    site_id: site.id,
    until: site.maintenance_until,
  } as const
  const devices = useList('devices', { site_id: site.id })
  return (
    <Page
      title={site.name}
      trail={[[t('Sites'), '/sites']]}
      badge={
        site.is_deleted ? (
          <Badge color="red">{t('Deleted', 'site')}</Badge>
        ) : (
          <MaintenanceBadge of={maintained} />
        )
      }
      subtitle={[zone && formatMoment(localTime(zone, now).toISOString(), 'UTC'), zoneName]
        .filter(Boolean)
        .join(', ')}
      actions={
        may_write && (
          <>
            {sees_all && <RemoveTreeButton plural="sites" object={site} back="/sites" />}
            {!site.is_deleted && <MaintenanceButton of={maintained} />}
            {!site.is_deleted && (
              <>
                <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                  Edit
                </Button>
                {sees_all && (
                  <Button leftSection={<IconSnowflake size={14} />} onClick={different.open}>
                    Today is different
                  </Button>
                )}
              </>
            )}
          </>
        )
      }
    >
      <UnknownZone site={site} />
      <MaintenanceNote of={maintained} />
      <div className="columns">
        <div className="stack">
          <Section title="Devices" flush>
            <Rows
              label="Devices at this site"
              list={devices}
              columns={[
                {
                  title: 'Name',
                  width: '2fr',
                  render: ({ name, status }) => (
                    <>
                      <span className="dot" data-tone={status.online ? 'good' : 'bad'} /> <Name>{name}</Name>
                    </>
                  ),
                },
                {
                  title: 'Status',
                  width: '90px',
                  render: ({ status }) => (
                    <span className="soft">{status.online ? 'Online' : 'Offline'}</span>
                  ),
                },
              ]}
              href={({ id }) => `/devices/${id}`}
              keyOf={({ id }) => id}
              empty={
                <Empty
                  title="No devices yet"
                  action={
                    may_write && (
                      <Button component={Link} href={`/devices?new&site=${site.id}`} variant="default">
                        Add device
                      </Button>
                    )
                  }
                >
                  Devices control the doors of this site.
                </Empty>
              }
            />
          </Section>
          <Suspense>
            <FloorPlan site={site} />
          </Suspense>
          {sees_all && <DaysOff site={site} />}
          <FireAlarm site={site} />
          {site.alarm_runbook && (
            <Section title="What to do in an alarm">
              <p className="sites-runbook" dir="auto">
                {site.alarm_runbook}
              </p>
            </Section>
          )}
        </div>
        <div className="stack">
          <Section title="Location">
            {site.geo && <Place radius={site.geo.radius} {...site.geo.location} />}
            <Facts
              facts={[
                [t('Address'), <bdi key="address">{site.map?.address ?? '–'}</bdi>],
                [t('Picture'), site.map?.image_url ? <Picture key="image" url={site.map.image_url} /> : '–'],
                [
                  t('Position'),
                  site.geo
                    ? `${site.geo.location.lat}, ${site.geo.location.lng}`
                    : t('Not set. No phone counts as near this site.'),
                ],
                [t('Radius'), site.geo ? `${site.geo.radius} m` : '–'],
              ]}
            />
          </Section>
          <Section title="For members">
            <Facts
              facts={[
                [t('Phone'), <bdi key="phone">{site.phone ?? '–'}</bdi>],
                [t('Email'), <bdi key="email">{site.email ?? '–'}</bdi>],
                [t('Check-in'), <bdi key="check_in">{site.check_in ?? '–'}</bdi>],
                [t('Info'), <bdi key="info">{site.info ?? '–'}</bdi>],
                [t('Tags'), site.tag_ids.length > 0 ? <Tags key="tags" ids={site.tag_ids} /> : '–'],
                [
                  'ID',
                  <span key="id" className="mono">
                    {site.id}
                  </span>,
                ],
              ]}
            />
          </Section>
          <History plural="sites" id={site.id} name={site.name} timezone={site.timezone} />
        </div>
      </div>
      {is_different && (
        <Suspense>
          <Today site={site} onClose={different.close} />
        </Suspense>
      )}
      {is_editing && <EditSite site={site} onClose={editing.close} />}
    </Page>
  )
}

/**
 * Shows the address instead of the picture, because the customer chooses the host and this page loads nothing
 * from it.
 */
function Picture({ url }: { url: string }) {
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
      <bdi>{url}</bdi>
    </Anchor>
  )
}
