import { Alert, Badge } from '@mantine/core'
import { useState } from 'react'
import type { ItemOf } from '../../data/collections.ts'
import { useRefresh } from '../../data/use-refresh.ts'
import { t } from '../../language/t.ts'
import { showFailure } from '../../parts/failure.tsx'
import { NameLink } from '../../parts/name.tsx'
import { Section } from '../../parts/page.tsx'
import { useApi } from '../../session/use-api.ts'
import { DeviceLog, type Entry } from './device-log.tsx'
import { FaultPanel } from './fault-panel.tsx'
import { Keypad } from './keypad.tsx'
import { CardReader, PhoneReader } from './reader.tsx'
import { Sensors } from './sensors.tsx'
import { type Simulate, type Simulation, simulate } from './simulate.ts'

type Device = ItemOf<'devices'>

export function VirtualDevice({ device }: { device: Device }) {
  const { client, may_write } = useApi()
  const refresh = useRefresh()
  const [log, setLog] = useState<readonly Entry[]>([])
  const [last, setLast] = useState<Simulation>()
  const act: Simulate = async (what, input) => {
    try {
      const answer = await simulate(client, device.id, input)
      setLast(answer)
      setLog(held => [{ what, answer, at: new Date().toISOString() }, ...held].slice(0, 30))
      refresh('devices', 'gadgets', 'events')
    } catch (error) {
      showFailure(error, t('Could not reach the device'))
    }
  }
  if (device.hardware_id)
    return (
      <Alert color="yellow" title="This is a physical device">
        Its hardware ID is {device.hardware_id}. Only virtual devices can be simulated here.
      </Alert>
    )
  if (!may_write)
    return (
      <Alert color="gray" title="You are a viewer in this organization">
        Simulating a device changes states and records events. Viewers cannot do that.
      </Alert>
    )
  const { pin, nfc } = device.capabilities
  const is_online = last?.online ?? device.status.online
  return (
    <div className="columns">
      <Section
        title="Device controls"
        about={<NameLink href={`/devices/${device.id}`}>{device.name}</NameLink>}
        actions={<Badge color={is_online ? 'teal' : 'red'}>{is_online ? 'Online' : 'Offline'}</Badge>}
      >
        <div className="developers-front">
          {pin && <Keypad act={act} />}
          <div className="stack">
            {nfc && <CardReader act={act} />}
            <PhoneReader act={act} />
            <Sensors device_id={device.id} act={act} />
          </div>
        </div>
      </Section>
      <div className="stack">
        <FaultPanel act={act} is_online={is_online} last={last} />
        <DeviceLog entries={log} />
      </div>
    </div>
  )
}
