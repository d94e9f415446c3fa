import type { FromDevice } from '@gatehouse-access/api'
import { expect, it } from 'vitest'
import { Inbox } from '../src/devices/gateway/inbox.ts'
import { systemClock } from '../src/flow/clock.ts'
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
const ping = { type: 'ping', sent_at: occurred_at }
const detach = { type: 'detach', device_id }

const settled = () => new Promise(resolve => setImmediate(resolve))

function refuse(_closing: string, text: string): never {
  throw new Error(text)
}

/** Opens an inbox in which every message stays in progress until the test ends it. */
function open() {
  const begun: string[] = []
  const ends: Record<string, () => void> = {}
  const inbox = new Inbox({
    organization_id: 'org',
    clock: systemClock,
    timers: systemTimers,
    link: { pause: () => {}, resume: () => {} },
    handle: (message: FromDevice) => {
      begun.push(message.type)
      return new Promise<void>(resolve => {
        ends[message.type] = resolve
      })
    },
    ping: () => {},
    refuse,
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

/** Opens an inbox whose messages take two milliseconds of the event loop each. */
function openBusy(organization_id: string, handled: (type: string, receivedAt?: string) => void): Inbox {
  const handle = async ({ type }: FromDevice) => {
    const end = performance.now() + 2
    while (performance.now() < end);
    handled(type)
  }
  return new Inbox({
    organization_id,
    clock: systemClock,
    timers: systemTimers,
    link: { pause: () => {}, resume: () => {} },
    handle,
    ping: ({ type }, receivedAt) => handled(type, receivedAt),
    refuse,
  })
}

it('lets the loop turn while many devices answer at once, and a neighbour waits for few of them', async () => {
  const read: string[] = []
  const crowd = Array.from({ length: 100 }, () => openBusy('large', () => read.push('large')))
  const neighbour = openBusy('small', () => read.push('small'))
  for (const inbox of [...crowd, neighbour]) inbox.receive(JSON.stringify(outcome))
  let turns = 0
  while (read.length <= crowd.length) {
    await settled()
    turns++
  }
  // At most five milliseconds in a turn, and what was begun in them.
  expect(turns).toBeGreaterThan(100 / 4)
  expect(read.indexOf('small')).toBeLessThan(10)
})

it('tells when a ping has arrived, however long it waits to be read', async () => {
  const pings: string[] = []
  const inbox = openBusy('org', (type, receivedAt = '') => type === 'ping' && pings.push(receivedAt))
  const began = systemClock.now()
  for (const message of [outcome, outcome, outcome, ping]) inbox.receive(JSON.stringify(message))
  const arrived = systemClock.now()
  while (pings.length === 0) await settled()
  expect(pings.every(receivedAt => began <= receivedAt && receivedAt <= arrived)).toBe(true)
})
