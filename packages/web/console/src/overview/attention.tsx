import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ItemOf } from '../data/collections.ts'
import { useList } from '../data/use-list.ts'
import { IconBattery1, IconCircleCheck, IconPlugConnectedX } from '../icons/icons.ts'
import { Failure } from '../parts/failure.tsx'
import { LoadingLines } from '../parts/loading.tsx'
import { NameLink } from '../parts/name.tsx'
import { Section } from '../parts/page.tsx'
import { OfflineSince } from './offline-since.tsx'

type Device = ItemOf<'devices'> & { readonly site?: { readonly name: string; readonly timezone: string } }

/** Lists the devices that need attention. */
export function Attention() {
  const offline = useList<'devices', Device>('devices', {
    'status.online': false,
    expand: ['site'],
    limit: 20,
  })
  const online = useList<'devices', Device>('devices', {
    'status.online': true,
    limit: 1,
  })
  const empty = useList<'devices', Device>('devices', {
    'status.online': true,
    is_battery_low: true,
    expand: ['site'],
    limit: 100,
  })
  const lists = [offline, online, empty]
  const is_loading = lists.some(list => list.is_loading)
  const failed = lists.filter(({ error, items }) => error && items.length === 0)
  const is_fine = !is_loading && failed.length === 0 && offline.items.length === 0 && empty.items.length === 0
  return (
    <Section title="Devices" about="Offline, or low on battery" flush>
      {is_loading && (
        <div className="section-body">
          <LoadingLines lines={2} />
        </div>
      )}
      {failed[0] && <Failure error={failed[0].error} retry={() => failed.map(list => list.refetch())} />}
      {is_fine && (
        <p className="attention-fine">
          {online.items.length > 0 && <IconCircleCheck size={16} className="good-ink" aria-hidden />}
          {online.items.length > 0 ? 'All devices are online.' : 'No devices yet.'}
        </p>
      )}
      <ul className="attention">
        {offline.items.slice(0, 20).map(device => (
          <li key={device.id}>
            <IconPlugConnectedX size={16} className="bad-ink" aria-hidden />
            <About device={device} what={<OfflineSince device_id={device.id} site={device.site} />} />
          </li>
        ))}
        {empty.items.map(device => (
          <li key={device.id}>
            <IconBattery1 size={16} className="warn-ink" aria-hidden />
            <About device={device} what={`Battery ${Math.round(device.status.battery_percent)}%`} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function About({ device, what }: { device: Device; what: ReactNode }) {
  return (
    <>
      <span className="attention-name">
        <NameLink href={`/devices/${device.id}`}>{device.name}</NameLink>
        <Text size="xs" c="dimmed" component="span" className="clip">
          {device.site?.name}
        </Text>
      </span>
      <span className="soft nowrap">{what}</span>
    </>
  )
}
