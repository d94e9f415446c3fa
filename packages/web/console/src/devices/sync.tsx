import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { keyOf } from '../data/collections.ts'
import { Pick } from '../form/pick.tsx'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { Section } from '../parts/page.tsx'
import { formatAgo } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'
import type { Device } from './device.ts'
import { edgeCalls, type MemberSync, type SyncItem } from './edge-calls.ts'

const itemWords: Record<SyncItem['type'], string> = {
  member: t('Access period'),
  member_group_association: t('Group'),
  member_pin: 'PIN',
  member_card: t('Card'),
}

/** Shows whether changes have reached the device: in general, and for one member. */
export function DeviceSync({ device }: { device: Device }) {
  const { client, sees_all } = useApi()
  const [params, setParams] = useSearchParams()
  const member_id = params.get('member')
  const can_ask = sees_all && edgeCalls(client).members.sync !== undefined
  return (
    <Section title="Sync" about="What the device has received">
      <Text size="sm" mb={can_ask ? 'sm' : 0}>
        {generalWords(device)}
      </Text>
      {can_ask && (
        <>
          <Pick
            plural="members"
            label="Has this member’s access reached the device?"
            placeholder="Choose a member…"
            value={member_id}
            onChange={id => setParams(id ? { member: id } : {}, { replace: true })}
          />
          {member_id && <OfMember member_id={member_id} device_id={device.id} />}
        </>
      )}
    </Section>
  )
}

function generalWords({ hardware_id, status }: Device): string {
  if (!hardware_id) return t('A virtual device runs inside the service, so changes take effect immediately.')
  if (status.online) return t('Connected. Changes reach the device within seconds.')
  return t(
    'Offline. The device keeps working with what it last received, and gets all changes when it reconnects.',
  )
}

function OfMember({ member_id, device_id }: { member_id: string; device_id: string }) {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'members', 'sync', member_id),
    queryFn: () => edgeCalls(client).members.sync?.(member_id) as Promise<MemberSync>,
    refetchInterval: 5000,
  })
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <LoadingLines lines={2} />
  return <Items sync={data} device_id={device_id} />
}

function Items({ sync, device_id }: { sync: MemberSync; device_id: string }) {
  const waiting = sync.items.flatMap(item =>
    item.pending_devices.filter(device => device.device_id === device_id).map(device => ({ item, device })),
  )
  if (waiting.length === 0)
    return (
      <Text size="sm" mt="xs">
        <span className="dot" data-tone="good" /> Yes, all of this member’s access has reached the device.
      </Text>
    )
  return (
    <ul className="devices-waiting">
      {waiting.map(({ item, device }) => (
        <li key={item.id}>
          <span className="dot" data-tone={item.at_risk ? 'bad' : 'warn'} /> {itemWords[item.type]}
          {item.is_deleted ? ': removal pending' : ': pending'}
          <span className="soft">
            {device.applied_at ? `, last confirmed ${formatAgo(device.applied_at)}` : ', never confirmed'}
          </span>
        </li>
      ))}
    </ul>
  )
}
