import type { FromDevice } from '@gatehouse-access/api'
import { expect, it } from 'vitest'
import { Inbox } from '../src/devices/gateway/inbox.ts'
import { systemTimers } from '../src/flow/timers.ts'

const device_id = `dev_${'0'.repeat(20)}`
const occurred_at = '2026-11-14T09:30:00.000000Z'
const signal = {
  type: 'signal',
  sequence: 1,
  occurred_at,
  gadget_id: `gad_${'0'.repeat(20)}`,
  signal_id: 'a',
}
const events = { type: 'events', device_id, journal_id: 'journal-1', events: [signal] }
const outcome = { type: 'outcome', device_id, id: 'command-1', outcome: 'done' }
const hello = { type: 'hello', protocol: 1, journal: { id: 'journal-1', last_sequence: 1 } }
const detach = { type: 'detach', device_id }

const settled = () => new Promise(resolve => setImmediate(resolve))

/** Opens an inbox in which every message stays in progress until the test ends it. */
function open() {
  const begun: string[] = []
  const ends: Record<string, () => void> = {}
  const inbox = new Inbox({
    timers: systemTimers,
    link: { pause: () => {}, resume: () => {} },
    handle: (message: FromDevice) => {
      begun.push(message.type)
      return new Promise<void>(resolve => {
        ends[message.type] = resolve
      })
    },
    ping: () => {},
    refuse: (_closing, text) => {
      throw new Error(text)
    },
  })
  const receive = async (...messages: object[]) => {
    for (const message of messages) inbox.receive(JSON.stringify(message))
    await settled()
  }
  const end = async (type: string) => {
    ends[type]?.()
    await settled()
  }
  return { begun, receive, end }
}

it('hears the outcome of a command while events wait for their turn', async () => {
  const { begun, receive } = open()
  await receive(events, outcome)
  expect(begun).toEqual(['events', 'outcome'])
})

it('takes events one batch after the other', async () => {
  const { begun, receive, end } = open()
  await receive(events, events)
  expect(begun).toEqual(['events'])
  await end('events')
  expect(begun).toEqual(['events', 'events'])
})

it('lets nothing pass the hello', async () => {
  const { begun, receive, end } = open()
  await receive(hello, events, outcome)
  expect(begun).toEqual(['hello'])
  await end('hello')
  expect(begun.toSorted()).toEqual(['events', 'hello', 'outcome'])
})

it('lets a device go only after what it sent before', async () => {
  const { begun, receive, end } = open()
  await receive(events, outcome, detach, outcome)
  await end('outcome')
  expect(begun).toEqual(['events', 'outcome'])
  await end('events')
  expect(begun).toEqual(['events', 'outcome', 'detach'])
  await end('detach')
  expect(begun).toEqual(['events', 'outcome', 'detach', 'outcome'])
})
