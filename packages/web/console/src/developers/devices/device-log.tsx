import { Text } from '@mantine/core'
import { reasonText } from '../../events/reason-words.ts'
import { t } from '../../language/t.ts'
import { Section } from '../../parts/page.tsx'
import { formatClock } from '../../parts/time.tsx'
import type { Happening, Simulation } from './simulate.ts'

export interface Entry {
  readonly what: string
  readonly answer: Simulation
  readonly at: string
}

/** Lists the inputs of the device and its reactions, newest first. */
export function DeviceLog({ entries }: { entries: readonly Entry[] }) {
  return (
    <Section title="Log">
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          Type a PIN followed by #, hold a card to the reader, or trigger a sensor.
        </Text>
      )}
      <ol className="developers-log" aria-live="polite">
        {entries.map(({ what, answer, at }) => (
          <li key={at}>
            <Text size="sm" fw={500}>
              {what} <span className="soft">{formatClock(at)}</span>
            </Text>
            {answer.events.map((event, index) => (
              <Text key={index} size="sm">
                <span className="dot" data-tone={event.type === 'denial' ? 'bad' : 'good'} /> {words(event)}
              </Text>
            ))}
            {answer.events.length === 0 && (
              <Text size="sm" c="dimmed">
                The device recorded nothing.
              </Text>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

function words({ type, action_id, state_id, signal_id, reason }: Happening): string {
  if (type === 'denial') return t(`Denied: ${reasonText(reason)}`)
  if (type === 'use') return t(`Ran ${action_id}`)
  if (type === 'trigger') return t(`A trigger ran ${action_id}`)
  if (type === 'exit') return t(`Ran ${action_id} on a request to exit`)
  return type === 'state' ? t(`State changed to ${state_id}`) : t(`Sent the signal ${signal_id}`)
}
