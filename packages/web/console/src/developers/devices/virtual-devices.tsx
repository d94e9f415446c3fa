import { Anchor, Stack } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { useList } from '../../data/use-list.ts'
import { useObject } from '../../data/use-object.ts'
import { Pick } from '../../form/pick.tsx'
import { IconCpu } from '../../icons/icons.ts'
import { Empty } from '../../parts/empty.tsx'
import { LoadingLines } from '../../parts/loading.tsx'
import { DevelopersFrame } from '../frame.tsx'
import { VirtualDevice } from './virtual-device.tsx'

/** Shows a keypad, a reader and sensors for devices that exist only in software. */
export function VirtualDevices() {
  const [params, setParams] = useSearchParams()
  const devices = useList('devices', { limit: 100 })
  const virtual = devices.items.filter(({ hardware_id }) => !hardware_id)
  const first = virtual.find(({ capabilities: { pin, nfc } }) => pin || nfc) ?? virtual[0]
  const id = params.get('device') ?? first?.id ?? null
  const { data: device } = useObject('devices', id)
  if (!devices.is_loading && !id)
    return (
      <DevelopersFrame>
        <Empty
          icon={<IconCpu />}
          title="No virtual devices"
          action={
            <Anchor component={Link} href="/developers/organizations?new" size="sm">
              Create a test organization
            </Anchor>
          }
        >
          A device without a hardware ID is virtual. Test organizations include several.
        </Empty>
      </DevelopersFrame>
    )
  return (
    <DevelopersFrame>
      <Stack gap="md">
        <div className="developers-pick">
          <Pick
            plural="devices"
            label="Device"
            description="Only devices without a hardware ID are virtual"
            required
            value={id}
            onChange={chosen => chosen && setParams({ device: chosen })}
          />
        </div>
        {device ? <VirtualDevice key={device.id} device={device} /> : <LoadingLines lines={6} />}
      </Stack>
    </DevelopersFrame>
  )
}
