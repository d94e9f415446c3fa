import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AlarmChange,
  type DoorInput,
  type DoorMonitorOptions,
  type DoorWatch,
  startWatch,
  watchDoor,
} from '../src/index.ts'
import { judgeStory, type OracleAlarm } from './oracle-monitor.ts'
import { runs } from './runs.ts'

const options: DoorMonitorOptions = { release_seconds: 5, held_open_seconds: 30 }
const ms = 1000
const timeout = 36_000_000
const s = 1_000_000

interface Told extends AlarmChange {
  /** When it was told. */
  readonly told: number
}

/** Plays a story. `isWoken`: ticks whenever something is due, as a controller does. */
function play(story: readonly DoorInput[], how = options, isWoken = true, from = startWatch(0, false)) {
  let watch: DoorWatch = from
  let due = Infinity
  const told: Told[] = []
  const take = (input: DoorInput) => {
    const watched = watchDoor(watch, input, how)
    watch = watched.watch
    due = watched.due
    told.push(...watched.changes.map(change => ({ ...change, told: input.at })))
  }
  take({ type: 'tick', at: 0 })
  for (const input of story) {
    while (isWoken && due < input.at) take({ type: 'tick', at: due })
    take(input)
  }
  return { told, watch, due }
}

/** What became of every alarm. */
function alarmsOf(told: readonly AlarmChange[]): OracleAlarm[] {
  const begun = told.filter(({ event }) => event === 'begin')
  const all = begun.map(({ type, at }): OracleAlarm => {
    const end = told.find(other => other.type === type && other.event === 'end' && other.at >= at)
    return [type, at, end?.at ?? null]
  })
  return all.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
}

const contact = (at: number, is_open: boolean): DoorInput => ({ type: 'contact', at, is_open })
const opens = (at: number) => contact(at, true)
const closes = (at: number) => contact(at, false)
const tick = (at: number): DoorInput => ({ type: 'tick', at })
const mode = (at: number, is_unlocked: boolean): DoorInput => ({ type: 'mode', at, is_unlocked })
const words = ({ told }: ReturnType<typeof play>) =>
  told.map(({ type, event, at, told: when }) => `${type} ${event} ${at / s} told ${when / s}`)

describe('a door that is opened', () => {
  test('without a release is forced, which is told after 2 s, and over when it closes', () => {
    const story = [opens(10 * s), closes(20 * s), tick(60 * s)]
    expect(words(play(story))).toEqual(['door_forced begin 10 told 12', 'door_forced end 20 told 20.3'])
  })

  test.each([
    ['1.5 s after it', 11.5, 0],
    ['2 s after it', 12, 0],
    ['2.5 s after it', 12.5, 1],
    ['5 s before it', 5, 0],
    ['5.1 s before it', 4.9, 1],
  ])('with an exit signal %s: %d', (_, at, forced) => {
    const story = [opens(10 * s), { type: 'exit', at: at * s } as const, closes(14 * s), tick(60 * s)]
    const found = play(story.sort((a, b) => a.at - b.at)).told
    expect(found.filter(({ event }) => event === 'begin')).toHaveLength(forced)
  })

  test('after a release, or while it is being released, is not forced', () => {
    const slow = { type: 'release', at: 10.4 * s, since: 9 * s } as const
    expect(play([{ type: 'release', at: 6 * s }, opens(10 * s), closes(12 * s), tick(60 * s)]).told).toEqual(
      [],
    )
    expect(play([opens(10 * s), slow, closes(12 * s), tick(60 * s)]).told).toEqual([])
    const late = { type: 'release', at: 10.4 * s } as const
    expect(play([opens(10 * s), late, closes(12 * s), tick(60 * s)]).told).toHaveLength(2)
  })

  test('and closed again at once is told with its end', () => {
    expect(words(play([opens(10 * s), closes(10.5 * s), tick(60 * s)]))).toEqual([
      'door_forced begin 10 told 12',
      'door_forced end 10.5 told 12',
    ])
  })

  test('for less than 300 ms was not opened', () => {
    const chatter = [10, 10.2, 10.4, 10.6].map((at, index) => contact(at * s, index % 2 === 0))
    expect(play([...chatter, tick(60 * s)]).told).toEqual([])
    expect(play([opens(10 * s), closes(10.3 * s), tick(60 * s)]).told).toHaveLength(2)
  })
})

describe('a door that stays open', () => {
  const released = { type: 'release', at: 9 * s } as const

  test('is held, and a contact that chatters does not end that', () => {
    const story = [released, opens(10 * s), closes(50 * s), opens(50.1 * s), closes(70 * s), tick(99 * s)]
    expect(words(play(story))).toEqual(['door_held begin 40 told 40', 'door_held end 70 told 70.3'])
  })

  test('is not held if it closes in time, as it turns out', () => {
    expect(play([released, opens(10 * s), closes(39.9 * s), tick(99 * s)]).told).toEqual([])
    expect(
      play([released, opens(10 * s), tick(99 * s)], { ...options, held_open_seconds: null }).told,
    ).toEqual([])
  })

  test('counts from when it was locked again', () => {
    const story = [mode(s, true), opens(10 * s), mode(600 * s, false), tick(640 * s)]
    expect(words(play(story))).toEqual(['door_held begin 630 told 630'])
  })

  test('when the controller starts is held and never forced', () => {
    const reading: DoorInput = { type: 'contact', at: 1 * s, is_open: true, is_reading: true }
    expect(words(play([reading, tick(40 * s)]))).toEqual(['door_held begin 31 told 31'])
    expect(words(play([tick(40 * s)], options, true, startWatch(0, true)))).toEqual([
      'door_held begin 30 told 30',
    ])
    const kept = startWatch(0, true, ['door_forced'])
    expect(words(play([closes(5 * s), tick(40 * s)], options, true, kept))).toEqual([
      'door_forced end 5 told 5.3',
    ])
  })
})

test('a release that nobody uses is told only where somebody asked for it', () => {
  const story: DoorInput[] = [{ type: 'release', at: 10 * s, is_for_member: true }, tick(60 * s)]
  expect(play(story).told).toEqual([])
  const asked = { ...options, tells_not_opened: true }
  expect(alarmsOf(play(story, asked).told)).toEqual([['door_not_opened', 20 * s, 20 * s]])
  expect(play([...story.slice(0, 1), opens(12 * s), closes(14 * s), tick(60 * s)], asked).told).toEqual([])
})

const gap = fc.oneof(
  fc.integer({ min: 1, max: 70 * s }),
  fc.integer({ min: 1, max: 700 }).map(value => value * ms),
  fc.constantFrom(299_999, 300_000, 300_001, 1_999_999, 2 * s, 2_000_001, 5 * s, 10 * s, 10_300_000, 60 * s),
)
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.boolean().map(is_open => ({ type: 'contact', is_open }) as const) },
  { weight: 2, arbitrary: fc.constantFrom({ type: 'exit' } as const, { type: 'tick' } as const) },
  { weight: 1, arbitrary: fc.constant({ type: 'tamper' } as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.boolean(), fc.constantFrom(0, 0, 400 * ms, 3 * s))
      .map(([is_for_member, took]) => ({ type: 'release', is_for_member, took }) as const),
  },
  { weight: 2, arbitrary: fc.boolean().map(is_unlocked => ({ type: 'mode', is_unlocked }) as const) },
)
const anyStory = fc.array(fc.tuple(gap, happening), { maxLength: 40 }).map(steps => {
  let at = 0
  const story = steps.map(([wait, { ...what }]): DoorInput => {
    at += wait
    if (what.type !== 'release') return { ...what, at }
    const { took, ...release } = what
    return { ...release, at, since: at - took }
  })
  return [...story, tick(at + 100_000 * s)]
})
const anyOptions = fc.record({
  release_seconds: fc.constantFrom(1, 5, 60),
  held_open_seconds: fc.constantFrom(null, 5, 30, 300),
  tells_not_opened: fc.boolean(),
})

test('monitor and oracle agree on every alarm, however often it ticks', { timeout }, () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(anyStory, anyOptions, (story, how) => {
      const wanted = judgeStory(story, how)
      for (const [type] of wanted) seen.add(type)
      expect(alarmsOf(play(story, how, true).told)).toEqual(wanted)
      expect(alarmsOf(play(story, how, false).told)).toEqual(wanted)
    }),
    runs(400, 100_000),
  )
  // A test that meets no alarm would prove nothing.
  expect([...seen].sort()).toEqual(['door_forced', 'door_held', 'door_not_opened', 'door_tampered'])
})

/** How long after the fact each is known at the latest: a contact may chatter, an exit sensor may be late. */
const latest = { door_forced: 2 * s, door_held: 300 * ms, door_not_opened: 300 * ms, door_tampered: 0 }

test('whoever ticks when something is due tells every alarm as early as it can be known', { timeout }, () => {
  fc.assert(
    fc.property(anyStory, anyOptions, (story, how) => {
      const late = play(story, how).told.filter(({ type, at, told }) => told - at > latest[type])
      expect(late).toEqual([])
    }),
    runs(200, 20_000),
  )
})

test('what is remembered of a door stays small, whatever happens at it', () => {
  const busy = Array.from({ length: 5000 }, (_, index): DoorInput => {
    const at = index * 90 * ms
    return index % 3 === 0 ? opens(at) : index % 3 === 1 ? { type: 'exit', at } : { type: 'release', at }
  })
  const { watch } = play(busy)
  expect(JSON.stringify(watch).length).toBeLessThan(400)
})
