import { expect, it } from 'vitest'
import type { FeedEvent } from '../src/events/feed-event.ts'
import { SharedEvents } from '../src/events/shared.ts'

const event: FeedEvent['event'] = {
  id: '',
  organization_id: 'org_1',
  subject: {},
  verb: 'edit',
  object: { type: 'member' },
  created_at: '',
  occurred_at: '',
  recorded_at: '',
  local_time: null,
  explanation: null,
  clock_adjusted: false,
  is_unlinked: false,
}
const at = (sequence: number) => `1.7.${sequence}`
const stretch = (first: number, last: number): FeedEvent[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    event: { ...event, id: `evt_${first + index}` },
    position: at(first + index),
  }))
const ids = (events: FeedEvent[] | undefined) => events?.map(({ event }) => event.id)

it('gives a follower what another read, from wherever it stands', () => {
  const shared = new SharedEvents()
  shared.add(at(0), stretch(1, 3))
  shared.add(at(3), stretch(4, 6))
  expect(ids(shared.find(at(0), 2))).toEqual(['evt_1', 'evt_2'])
  expect(ids(shared.find(at(2), 500))).toEqual(['evt_3', 'evt_4', 'evt_5', 'evt_6'])
})

it('knows nothing before its first event and nothing after its last', () => {
  const shared = new SharedEvents()
  expect(shared.find(at(0), 500)).toBeUndefined()
  shared.add(at(3), stretch(4, 6))
  expect(shared.find(at(2), 500)).toBeUndefined()
  expect(shared.find(at(6), 500)).toBeUndefined()
  expect(shared.find(at(9), 500)).toBeUndefined()
})

it('never has a hole or a repeat, in whatever order readers bring what they read', () => {
  const shared = new SharedEvents()
  shared.add(at(0), stretch(1, 4))
  shared.add(at(0), stretch(1, 6))
  shared.add(at(2), stretch(3, 8))
  expect(ids(shared.find(at(0), 500))).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
  shared.add(at(9), stretch(10, 12))
  expect(shared.find(at(4), 500)).toBeUndefined()
  expect(ids(shared.find(at(9), 500))).toEqual(['evt_10', 'evt_11', 'evt_12'])
})

it('holds a bounded number, the newest', () => {
  const shared = new SharedEvents()
  for (let first = 1; first <= 20_000; first += 500) shared.add(at(first - 1), stretch(first, first + 499))
  expect(shared.find(at(0), 500)).toBeUndefined()
  expect(shared.find(at(19_000), 20_000)).toHaveLength(1000)
})

it('is empty after a failure', () => {
  const shared = new SharedEvents()
  shared.add(at(0), stretch(1, 3))
  shared.clear()
  expect(shared.find(at(0), 500)).toBeUndefined()
})

it('asks once for all readers that the same call has woken, and anew for those called since', async () => {
  const shared = new SharedEvents()
  const answers: PromiseWithResolvers<FeedEvent[]>[] = []
  const ask = () => {
    const answer = Promise.withResolvers<FeedEvent[]>()
    answers.push(answer)
    return answer.promise
  }
  const [first, second] = [{}, {}]
  const readers = [first, first, second, second].map(call => shared.join(at(0), 500, call, ask))
  const elsewhere = shared.join(at(4), 500, second, ask)
  expect(answers).toHaveLength(3)
  for (const [index, { resolve }] of answers.entries()) resolve(stretch(1, index))
  expect((await Promise.all([...readers, elsewhere])).map(events => events.length)).toEqual([0, 0, 1, 1, 2])

  const later = shared.join(at(4), 500, second, ask)
  answers.at(-1)?.resolve([])
  expect([answers.length, await later]).toEqual([4, []])
})

it('asks again after an answer that failed', async () => {
  const shared = new SharedEvents()
  const call = {}
  await expect(shared.join(at(0), 500, call, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await shared.join(at(0), 500, call, async () => stretch(1, 2))).toHaveLength(2)
})
