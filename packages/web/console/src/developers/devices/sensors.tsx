import { Button, Text } from '@mantine/core'
import type { ItemOf } from '../../data/collections.ts'
import { useList } from '../../data/use-list.ts'
import { t } from '../../language/t.ts'
import { Name } from '../../parts/name.tsx'
import type { Simulate, SimulatedInput } from './simulate.ts'

type Gadget = ItemOf<'gadgets'>

/** Simulates reports of the sensors of the device's gadgets. They run triggers, as real hardware does. */
export function Sensors({ device_id, act }: { device_id: string; act: Simulate }) {
  const gadgets = useList('gadgets', { device_id, limit: 100 })
  const sensing = gadgets.items.filter(({ states, signals }) => states.length + signals.length > 0)
  return sensing.map(gadget => <GadgetSensors key={gadget.id} gadget={gadget} act={act} />)
}

function GadgetSensors({ gadget, act }: { gadget: Gadget; act: Simulate }) {
  const { id: gadget_id, name, states, signals, state_id } = gadget
  return (
    <fieldset className="developers-sensors">
      <legend>
        <Name>{name}</Name>
      </legend>
      <Reports
        title="State"
        parts={states}
        current={state_id}
        onReport={state_id => ({ state: { gadget_id, state_id } })}
        act={act}
      />
      <Reports
        title="Signal"
        parts={signals}
        onReport={signal_id => ({ signal: { gadget_id, signal_id } })}
        act={act}
      />
    </fieldset>
  )
}

interface ReportsProps {
  readonly title: string
  readonly parts: readonly { readonly id: string; readonly name: string }[]
  readonly current?: string | null
  readonly onReport: (id: string) => SimulatedInput
  readonly act: Simulate
}

function Reports({ title, parts, current, onReport, act }: ReportsProps) {
  if (parts.length === 0) return null
  return (
    <div className="developers-reports">
      <Text size="xs" c="dimmed" component="span">
        {title}
      </Text>
      {parts.map(({ id, name }) => (
        <Button
          key={id}
          size="compact-sm"
          variant={id === current ? 'light' : 'default'}
          aria-pressed={current === undefined ? undefined : id === current}
          onClick={() => void act(t(`${title} reported: ${name}`), onReport(id))}
        >
          <span className="clip">{name}</span>
        </Button>
      ))}
    </div>
  )
}
