import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, useParams } from 'wouter'
import { useObject } from '../data/use-object.ts'
import { useRefresh } from '../data/use-refresh.ts'
import { DeclaredField } from '../form/declared.tsx'
import { useDraft } from '../form/draft.ts'
import { FormModal } from '../form/form-modal.tsx'
import { Pick } from '../form/pick.tsx'
import { PickTags } from '../form/pick-tags.tsx'
import { IconKeyboard, IconPencil, IconPlus } from '../icons/icons.ts'
import { t } from '../language/t.ts'
import { MaintenanceBadge, MaintenanceButton, MaintenanceNote } from '../maintenance/maintenance.tsx'
import { Failure } from '../parts/failure.tsx'
import { History } from '../parts/history.tsx'
import { LoadingPage } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { RecentEvents } from '../parts/recent-events.tsx'
import { RemoveTreeButton } from '../parts/remove-tree-button.tsx'
import { Tags } from '../parts/tags.tsx'
import { useZone } from '../schedules/use-site-days.ts'
import { useApi } from '../session/use-api.ts'
import { SuspendButton, SuspendedNote } from '../suspensions/suspended.tsx'
import type { Suspendable } from '../suspensions/suspension.ts'
import { type Device, modelName, powerWords } from './device.ts'
import { InputRules } from './input-rules.tsx'
import { ConnectionSecret } from './secret.tsx'
import { DeviceSync } from './sync.tsx'
import './devices.css'

export function DeviceDetail() {
  const { id } = useParams<{ id: string }>()
  const { data, error, refetch } = useObject<'devices', Device>('devices', id, ['site', 'gadgets'])
  if (!data) return error ? <Failure error={error} retry={refetch} is_page /> : <LoadingPage />
  return <Shown device={data} />
}

function Shown({ device }: { device: Device }) {
  const { client, may_write, sees_all, sees_people } = useApi()
  const [is_editing, editing] = useDisclosure(false)
  const { status } = device
  const has_inputs = device.capabilities.pin || device.capabilities.nfc
  const { data: zone } = useZone(device.site_id)
  const suspendable: Suspendable = {
    ...device,
    zoned: { zone },
    about:
      'its keypad and its reader refuse everybody. Its doors can still be opened online and by other devices.',
    plurals: ['devices'],
    edit: change => client.devices.edit(device.id, change),
  }
  const maintained = {
    plural: 'devices',
    id: device.id,
    name: device.name,
    site_id: device.site_id,
    until: device.maintenance_until,
  } as const
  return (
    <Page
      title={device.name}
      trail={[[t('Devices'), '/devices']]}
      badge={
        device.is_deleted ? (
          <Badge color="red">Deleted</Badge>
        ) : (
          <>
            <Badge color={status.online ? 'teal' : 'red'}>{status.online ? 'Online' : 'Offline'}</Badge>
            <MaintenanceBadge of={maintained} />
          </>
        )
      }
      subtitle={modelName(device.product_id)}
      actions={
        may_write && (
          <>
            <RemoveTreeButton plural="devices" object={device} back="/devices" />
            {!device.is_deleted && (
              <>
                {has_inputs && <SuspendButton of={suspendable} label="Suspend inputs" />}
                <MaintenanceButton of={maintained} />
                {device.hardware_id ? (
                  <ConnectionSecret device={device} />
                ) : (
                  sees_all && (
                    <Button
                      component={Link}
                      href={`/developers/devices?device=${device.id}`}
                      variant="default"
                      leftSection={<IconKeyboard size={14} />}
                    >
                      Simulate
                    </Button>
                  )
                )}
                <Button variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                  Edit
                </Button>
              </>
            )}
          </>
        )
      }
    >
      <SuspendedNote of={suspendable} />
      <MaintenanceNote of={maintained} />
      <div className="columns">
        <div className="stack">
          <Section title="Device">
            <Facts
              facts={[
                [
                  t('Site'),
                  <NameLink key="site" href={`/sites/${device.site_id}`}>
                    {device.site?.name}
                  </NameLink>,
                ],
                [
                  t('Serial number'),
                  <span key="hardware" className={device.hardware_id ? 'mono' : 'soft'}>
                    {device.hardware_id ?? 'None (virtual device)'}
                  </span>,
                ],
                [t('Power'), powerWords(status)],
                [t('Revision'), device.revision_id ?? '–'],
                [t('Tags'), device.tag_ids.length > 0 ? <Tags key="tags" ids={device.tag_ids} /> : '–'],
                [
                  'ID',
                  <span key="id" className="mono">
                    {device.id}
                  </span>,
                ],
              ]}
            />
          </Section>
          {device.capabilities.input_rules && <InputRules device={device} />}
          {device.capabilities.gadgets === 'none' && (
            <Section title="Doors">
              <Text size="sm" c="dimmed">
                This model does not control doors itself. Doors belong to a controller or a lock.{' '}
                {may_write && (
                  <Anchor component={Link} href={`/devices?new&site=${device.site_id}`} size="sm">
                    Add one to this site
                  </Anchor>
                )}
              </Text>
            </Section>
          )}
          {device.capabilities.gadgets !== 'none' && (
            <Section
              title="Doors"
              about={`${device.gadgets?.length ?? 0} of ${device.capabilities.gadget_max_count}`}
              actions={
                may_write &&
                device.capabilities.gadgets === 'multiple' && (
                  <Button
                    component={Link}
                    href={`/gadgets?new&device=${device.id}`}
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconPlus size={14} />}
                  >
                    Add door
                  </Button>
                )
              }
            >
              {device.gadgets?.length === 0 && (
                <Text size="sm" c="dimmed">
                  {may_write
                    ? 'This device controls nothing yet. Add the door, lift or light wired to it.'
                    : 'This device controls nothing yet.'}
                </Text>
              )}
              <ul className="devices-list">
                {device.gadgets?.map(({ id, name }) => (
                  <li key={id}>
                    <NameLink href={`/gadgets/${id}`}>{name}</NameLink>
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
        <div className="stack">
          {!device.is_deleted && <DeviceSync device={device} />}
          {sees_people && (
            <RecentEvents filter="object.device_id" id={device.id} nothing="No activity yet." />
          )}
          <History plural="devices" id={device.id} name={device.name} timezone={zone?.timezone} />
        </div>
      </div>
      {is_editing && <EditDevice device={device} onClose={editing.close} />}
    </Page>
  )
}

function EditDevice({ device, onClose }: { device: Device; onClose: () => void }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const { name, site_id, tag_ids } = device
  const draft = useDraft({ name, site_id, tag_ids }, async values => {
    await client.devices.edit(device.id, values)
    refresh('devices', 'gadgets')
    onClose()
  })
  return (
    <FormModal title="Edit device" opened onClose={onClose} draft={draft} action="Save">
      <DeclaredField kind="device" name="name" label="Name" draft={draft} description="" autoFocus />
      <Pick
        plural="sites"
        label="Site"
        description="Moving the device also moves its doors"
        required
        value={draft.values.site_id}
        onChange={id => id && draft.set('site_id', id)}
        error={draft.errorOf('site_id')}
      />
      <PickTags kind="device" value={draft.values.tag_ids} onChange={ids => draft.set('tag_ids', ids)} />
    </FormModal>
  )
}
