import { Button, Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRefresh } from '../data/use-refresh.ts'
import { reasonWords } from '../events/words.ts'
import { showFailure } from '../parts/failure.tsx'
import { Section } from '../parts/page.tsx'
import { useApi } from '../session/use-api.ts'
import type { Device } from './device.ts'
import { edgeCalls, type Happening, type SimulateBody, type Simulation } from './edge-calls.ts'

type Way = 'keys' | 'card'

/** Types at the keypad of a virtual device, holds a card to it, or takes its network away. */
export function TryDevice({ device }: { device: Device }) {
  const { client } = useApi()
  const refresh = useRefresh()
  const [way, setWay] = useState<Way>('keys')
  const [text, setText] = useState('')
  const [answer, setAnswer] = useState<Simulation>()
  const { devices } = edgeCalls(client)
  if (!devices.simulate) return null
  const does = async (body: SimulateBody) => {
    try {
      setAnswer(await devices.simulate?.(device.id, body))
      refresh('devices', 'gadgets', 'events')
    } catch (error) {
      showFailure(error, 'Nothing happened at the device')
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void does(way === 'keys' ? { keys: text } : { card: { uid: text } })
  }
  const { pin, nfc } = device.capabilities
  return (
    <Section title="Try it" about="As somebody in front of the virtual device would">
      {(pin || nfc) && (
        <form onSubmit={submit}>
          {pin && nfc && (
            <SegmentedControl
              size="xs"
              mb="xs"
              aria-label="With what"
              value={way}
              onChange={value => {
                setWay(value as Way)
                setText('')
              }}
              data={[
                { value: 'keys', label: 'Keypad' },
                { value: 'card', label: 'Card' },
              ]}
            />
          )}
          <Group gap="xs" align="end" wrap="nowrap">
            <TextInput
              label={way === 'keys' && pin ? 'Keys' : 'UID of the card'}
              placeholder={way === 'keys' && pin ? '123456#' : '04A1B2C3'}
              value={text}
              maxLength={64}
              onChange={event => setText(event.currentTarget.value)}
              flex={1}
            />
            <Button type="submit" variant="default" disabled={text === ''}>
              {way === 'keys' && pin ? 'Type' : 'Hold'}
            </Button>
          </Group>
        </form>
      )}
      <Switch
        mt="sm"
        label="Has its network"
        checked={answer?.online ?? device.status.online}
        onChange={event => void does({ network: event.currentTarget.checked ? 'online' : 'offline' })}
      />
      {answer && <Answer answer={answer} />}
    </Section>
  )
}

function Answer({ answer }: { answer: Simulation }) {
  return (
    <output className="devices-answer">
      {answer.events.length === 0 && <Text size="sm">The device wrote nothing down.</Text>}
      {answer.events.map((event, index) => (
        <Text key={index} size="sm">
          <span className="dot" data-tone={event.type === 'denial' ? 'bad' : 'good'} /> {words(event)}
        </Text>
      ))}
      {answer.buffered_events > 0 && (
        <Text size="xs" c="dimmed">
          {answer.buffered_events} events wait until it is online again.
        </Text>
      )}
    </output>
  )
}

function words({ type, action_id, reason }: Happening): string {
  if (type === 'denial')
    return `Refused: ${(reasonWords as Record<string, string>)[reason ?? ''] ?? reason ?? 'no reason given'}`
  if (type === 'use') return `Ran ${action_id}`
  if (type === 'trigger') return 'A trigger ran'
  return type === 'state' ? 'A state changed' : 'A signal was given'
}
