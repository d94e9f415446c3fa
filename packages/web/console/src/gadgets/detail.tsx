import { Badge, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useParams, useSearchParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { IconPencil, IconUserQuestion } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import type { Door } from '../overview/door.ts'
import { DoorActions } from '../overview/door-actions.tsx'
import { useWhitelabel } from '../overview/use-whitelabel.ts'
import { exactAt, inZone } from '../parts/door-time.ts'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { Later } from '../parts/later.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RecentEvents } from '../parts/recent-events.tsx'
import { RemoveButton } from '../parts/remove-button.tsx'
import { Tags } from '../parts/tags.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { DoorSection } from './door-section.tsx'
import { EditGadget } from './edit-gadget.tsx'
import { doorLossesOf } from './losses.ts'
import { ModeSection } from './mode-section.tsx'
import { DoorPeople } from './people.tsx'

export function GadgetDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'gadgets', Door>('gadgets', id, ['site', 'device'])
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown gadget={data} />
}

function Shown({ gadget }: { gadget: Door }) {
  const { client, may_write, sees_all, sees_people } = useApi()
  const [is_editing, editing] = useDisclosure(useSearchParams()[0].has('edit'))
  const whitelabel = useWhitelabel()
  const { data: zone } = useZone(gadget.site_id)
  const state = gadget.states.find(({ id }) => id === gadget.state_id)
  const removal = {
    id: gadget.id,
    name: gadget.name,
    plurals: ['gadgets', 'devices'],
    remove: () => client.gadgets.delete(gadget.id),
    restore: () => client.gadgets.edit(gadget.id, { is_deleted: false }),
  }
  return (
    <Page
      title={gadget.name}
      trail={[[t('Doors'), '/gadgets']]}
      badge={
        gadget.is_deleted ? (
          <Badge color="red">{t('Deleted', 'door')}</Badge>
        ) : (
          <Badge color={gadget.device?.status.online ? 'teal' : 'red'}>
            {gadget.device?.status.online ? 'Online' : 'Offline'}
          </Badge>
        )
      }
      actions={
        <>
          {may_write && (
            <RemoveButton
              removal={removal}
              back="/gadgets"
              is_deleted={gadget.is_deleted}
              losses={() => doorLossesOf(client, gadget, sees_all)}
            />
          )}
          {sees_people && (
            <Button
              component={Link}
              href={`/groups/who?gadget_id=${gadget.id}`}
              variant="default"
              leftSection={<IconUserQuestion size={14} />}
            >
              Who can open it?
            </Button>
          )}
          {may_write && (
            <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
              Edit
            </Button>
          )}
          {!gadget.is_deleted && <DoorActions door={gadget} whitelabel={whitelabel} is_head />}
        </>
      }
    >
      <div className="columns">
        <div className="stack">
          <ModeSection gadget={gadget} />
          <Section title="Details">
            <Facts
              facts={[
                [t('State'), state?.name ?? '–'],
                [
                  t('Site'),
                  <NameLink key="site" href={`/sites/${gadget.site_id}`}>
                    {gadget.site?.name}
                  </NameLink>,
                ],
                [
                  t('Device'),
                  <NameLink key="device" href={`/devices/${gadget.device_id}`}>
                    {gadget.device?.name}
                  </NameLink>,
                ],
                [
                  t('Last used'),
                  gadget.last_action_at ? (
                    <time key="used" dateTime={gadget.last_action_at}>
                      {inZone(exactAt(gadget.last_action_at, zone), zone)}
                    </time>
                  ) : (
                    t('Never')
                  ),
                ],
                [t('Tags'), gadget.tag_ids.length > 0 ? <Tags key="tags" ids={gadget.tag_ids} /> : '–'],
                [
                  'ID',
                  <span key="id" className="mono">
                    {gadget.id}
                  </span>,
                ],
              ]}
            />
          </Section>
          <Section title="What it can do">
            <Facts
              facts={[
                [t('Actions'), listed(gadget.actions)],
                [t('States'), listed(gadget.states)],
                [t('Signals'), listed(gadget.signals)],
              ]}
            />
          </Section>
          <DoorSection gadget={gadget} />
          <History plural="gadgets" id={gadget.id} name={gadget.name} timezone={gadget.site?.timezone} />
        </div>
        {sees_people && <RecentEvents filter="object.gadget_id" id={gadget.id} nothing="No activity yet." />}
      </div>
      {sees_people && !gadget.is_deleted && (
        <Later>
          <DoorPeople gadget={gadget} />
        </Later>
      )}
      {is_editing && <EditGadget gadget={gadget} onClose={editing.close} />}
    </Page>
  )
}

function listed(parts: readonly { readonly id: string; readonly name: string }[]) {
  return <bdi>{parts.map(({ name }) => name).join(', ') || '–'}</bdi>
}
