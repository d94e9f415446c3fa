import { Radio, Stack, Switch, Text } from '@mantine/core'
import { t } from '../../language/t.ts'
import { Section } from '../../parts/page.tsx'
import { formatClock } from '../../parts/time.tsx'
import type { Simulate } from './simulate.ts'
import { type Fault, faults, type Simulation } from './simulate.ts'

interface FaultPanelProps {
  readonly act: Simulate
  readonly is_online: boolean
  readonly last: Simulation | undefined
}

/** Simulates faults that occur at real doors. */
export function FaultPanel({ act, is_online, last }: FaultPanelProps) {
  const fault = last?.fault ?? null
  return (
    <Section title="Faults" about="Faults clear by themselves after 10 minutes">
      <Switch
        mb="sm"
        label="Connected to the network"
        description={
          last && last.buffered_events > 0 ? `${last.buffered_events} events waiting to be sent` : undefined
        }
        checked={is_online}
        onChange={event => {
          const network = event.currentTarget.checked ? 'online' : 'offline'
          void act(t(`Network ${network}`), { network })
        }}
      />
      <Radio.Group
        label="Fault"
        value={fault ?? 'nothing'}
        onChange={value => {
          const chosen = value === 'nothing' ? null : (value as Fault)
          void act(chosen ? t(`Set fault: ${faults[chosen][0]}`) : t('Cleared the fault'), { fault: chosen })
        }}
      >
        <Stack gap={6} mt={6}>
          <Radio value="nothing" label="None" />
          {Object.entries(faults).map(([value, [label, description]]) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {last?.fault_until && (
        <Text size="xs" c="dimmed" mt="xs">
          Until {formatClock(last.fault_until)}
        </Text>
      )}
    </Section>
  )
}
