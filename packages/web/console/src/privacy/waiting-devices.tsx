import type { WaitingDevice } from '@gatehouse-access/api'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { t } from '../language/t.ts'
import { someNames } from '../parts/some-names.ts'
import { useApi } from '../session/use-api.ts'
import { OwnTime } from '../sites/own-time.tsx'
import type { Erasure } from './erasure-words.ts'

const most = 10

/** Asks which devices an erasure waits for, while it does. Their number is newer than the one that the erasure tells. */
export function useWaitingDevices({ id, state }: Erasure) {
  const { client, organization } = useApi()
  const is_waiting = state === 'waiting'
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'erasures', 'devices', id),
    queryFn: () => client.erasures.devices(id),
    enabled: is_waiting,
  })
  return { waiting: is_waiting ? data : undefined, error: data ? null : error, refetch }
}

interface WaitingProps {
  readonly data: readonly WaitingDevice[]
  readonly count: number
}

/** The devices that an erasure waits for, by their doors. The sentence above says how many they are. */
export function WaitingDevices({ data, count }: WaitingProps) {
  const shown = data.slice(0, most)
  return (
    <ul className="hold-list" aria-label="Devices that still hold the member">
      {shown.map(device => (
        <Text key={device.device_id} component="li" size="sm">
          <bdi>{someNames(device.gadget_names) || device.device_name}</bdi>{' '}
          <span className="soft">
            <Reach device={device} />
          </span>
        </Text>
      ))}
      {count > shown.length && (
        <Text component="li" size="sm">
          and {count - shown.length} more
        </Text>
      )}
    </ul>
  )
}

function Reach({ device: { online, offline_since } }: { device: WaitingDevice }) {
  if (!offline_since) return online ? t('Online') : t('Offline')
  return (
    <>
      Offline since <OwnTime at={offline_since} />
    </>
  )
}
