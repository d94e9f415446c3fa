import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil } from '@tabler/icons-react'
import { useParams } from 'wouter'
import type { ItemOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { useObject } from '../data/use-object.ts'
import { Empty } from '../parts/empty.tsx'
import { Failure } from '../parts/failure.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { Name } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { Rows } from '../parts/rows.tsx'
import { Tags } from '../parts/tags.tsx'
import { formatMoment, useNow } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import { EditSite } from './edit-site.tsx'
import './sites.css'

type Site = ItemOf<'sites'>

export function SiteDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject('sites', id)
  if (error) return <Failure error={error} retry={refetch} />
  if (!data) return <LoadingPage />
  return <Shown site={data} />
}

function Shown({ site }: { site: Site }) {
  const { client, may_write } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const now = useNow(30_000)
  const devices = useList('devices', { site_id: site.id })
  const removal = {
    name: site.name,
    plurals: ['sites'],
    remove: () => client.sites.delete(site.id),
    restore: () => client.sites.edit(site.id, { is_deleted: false }),
  }
  return (
    <Page
      title={site.name}
      trail={[['Sites', '/sites']]}
      badge={site.is_deleted && <Badge color="red">Deleted</Badge>}
      subtitle={`${formatMoment(new Date(now).toISOString(), site.timezone)}, ${site.timezone.replaceAll('_', ' ')}`}
      actions={
        may_write && (
          <>
            <RemoveButton removal={removal} back="/sites" />
            <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
              Edit
            </Button>
          </>
        )
      }
    >
      <div className="columns">
        <Section title="Devices" flush>
          <Rows
            label="Devices of the site"
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
                render: ({ status }) => <span className="soft">{status.online ? 'Online' : 'Offline'}</span>,
              },
            ]}
            href={({ id }) => `/devices/${id}`}
            keyOf={({ id }) => id}
            empty={<Empty title="No devices here yet">Add the hardware of this site under Devices.</Empty>}
          />
        </Section>
        <div className="stack">
          <Section title="Place">
            {site.geo && <Place radius={site.geo.radius} />}
            <Facts
              facts={[
                ['Address', <bdi key="address">{site.map?.address ?? '–'}</bdi>],
                [
                  'Position',
                  site.geo
                    ? `${site.geo.location.lat}, ${site.geo.location.lng}`
                    : 'Not set: nobody counts as near',
                ],
                ['Radius', site.geo ? `${site.geo.radius} m` : '–'],
              ]}
            />
          </Section>
          <Section title="For guests">
            <Facts
              facts={[
                ['Phone', <bdi key="phone">{site.phone ?? '–'}</bdi>],
                ['Email', <bdi key="email">{site.email ?? '–'}</bdi>],
                ['Info', <bdi key="info">{site.info ?? '–'}</bdi>],
                ['Tags', site.tag_ids.length > 0 ? <Tags key="tags" ids={site.tag_ids} /> : '–'],
                [
                  'Id',
                  <span key="id" className="mono">
                    {site.id}
                  </span>,
                ],
              ]}
            />
          </Section>
        </div>
      </div>
      {is_editing && <EditSite site={site} onClose={editing.close} />}
    </Page>
  )
}

/** The circle within which a phone counts as near, to scale with a line of 100 m; no map comes from elsewhere. */
function Place({ radius }: { radius: number }) {
  const scale = Math.min(50, 4500 / Math.max(90, radius))
  return (
    <svg
      viewBox="0 0 200 120"
      className="sites-place"
      role="img"
      aria-label={`A circle of ${radius} metres around the site`}
    >
      {[20, 60, 100].map(y => (
        <line key={y} x1={0} x2={200} y1={y} y2={y} className="sites-grid" />
      ))}
      {[20, 60, 100, 140, 180].map(x => (
        <line key={x} x1={x} x2={x} y1={0} y2={120} className="sites-grid" />
      ))}
      <circle cx={100} cy={60} r={Math.min(52, (radius * scale) / 90)} className="sites-circle" />
      <circle cx={100} cy={60} r={3} className="sites-middle" />
    </svg>
  )
}
