import type { WaitingDevice } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useNames } from '../emergencies/use-names.ts'
import { t } from '../language/t.ts'
import { Failure } from '../parts/failure.tsx'
import { Moment } from '../parts/time.tsx'
import { useApi } from '../session/use-api.ts'

const most = 10

/** The devices that an erasure waits for, by their doors. The sentence above says how many they are. */
export function WaitingDevices({ erasure_id, count }: { erasure_id: string; count: number }) {
  const { client, organization } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'erasures', 'devices', erasure_id),
    queryFn: () => client.erasures.devices(erasure_id),
  })
  if (!data) return error && <Failure error={error} retry={refetch} />
  return (
    <ul className="hold-list" aria-label="Devices that still hold the member">
      {data.data.slice(0, most).map(device => (
        <WaitingLine key={device.device_id} device={device} />
      ))}
      {count > most && (
        <Text component="li" size="sm">
          and {count - most} more
        </Text>
      )}
    </ul>
  )
}

function WaitingLine({ device }: { device: WaitingDevice }) {
  const { device_id, gadget_ids } = device
  const doors = useNames('gadgets', gadget_ids)
  const name = useNames('devices', gadget_ids.length === 0 ? [device_id] : [])
  return (
    <Text component="li" size="sm">
      <bdi>{doors || name}</bdi>{' '}
      <span className="soft">
        <Reach device={device} />
      </span>
    </Text>
  )
}

function Reach({ device: { online, offline_since } }: { device: WaitingDevice }) {
  if (!offline_since) return online ? t('Online') : t('Offline')
  return (
    <>
      Offline since <Moment at={offline_since} />
    </>
  )
}
