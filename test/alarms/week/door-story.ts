import type { DoorInput } from '@gatehouse-access/core'
import type { Dice } from './random.ts'
import { day, drill, hour, minute, saturday, wednesday, workdays, works } from './times.ts'

export const doorCount = 300
export const doorsEach = 5
export const floorOf = (door: number) => Math.floor(door / 50)

const second = 1_000_000

/** Something that happens at a door, from when until when nothing else does. */
interface Episode {
  readonly from: number
  readonly until: number
  readonly inputs: readonly DoorInput[]
}

const episode = (from: number, until: number, ...inputs: readonly (readonly [number, Input])[]): Episode => ({
  from,
  until,
  inputs: inputs
    .map(([at, input]) => ({ at: Math.round(at * second), ...input }))
    .toSorted((one, other) => one.at - other.at),
})

type Input =
  | { readonly type: 'release' | 'exit' }
  | { readonly type: 'contact'; readonly is_open: boolean }
  | { readonly type: 'mode'; readonly is_unlocked: boolean }
const release: Input = { type: 'release' }
const exit: Input = { type: 'exit' }
const opens: Input = { type: 'contact', is_open: true }
const closes: Input = { type: 'contact', is_open: false }

const enter = (at: number, dice: Dice) => {
  const open = at + dice.between(0.8, 3)
  const close = open + dice.between(3, 12)
  return episode(at, close + 1, [at, release], [open, opens], [close, closes])
}

/** The sensor sees most people before the door moves, and some a moment later. */
const leave = (at: number, dice: Dice) => {
  const close = at + dice.between(4, 10)
  const seen = dice.percent(15) ? at + dice.between(0.4, 1.8) : at - dice.between(0.2, 1)
  return episode(at - 1, close + 1, [seen, exit], [at, opens], [close, closes])
}

const forced = (at: number, seconds: number) =>
  episode(at - 1, at + seconds + 1, [at, opens], [at + seconds, closes])

const heldOpen = (at: number, seconds: number) =>
  episode(at, at + seconds + 2, [at, release], [at + 1, opens], [at + 1 + seconds, closes])

/** A contact that is not fixed well. */
const rattle = (at: number, dice: Dice) => {
  const close = at + dice.between(0.03, 0.25)
  return episode(at - 1, close + 1, [at, opens], [close, closes])
}

function* nuisances(door: number, dice: Dice): Generator<Episode> {
  // Twelve contacts rattle with every lorry, by day and by night.
  if (door % 25 === 7)
    for (let at = dice.between(0, 2 * hour); at < 7 * day; at += dice.between(10 * minute, 80 * minute))
      yield rattle(at, dice)
  // The wind plays with a door in the night to Saturday, and with another on Wednesday.
  if (door === 42 || door === 188) {
    const from = door === 42 ? saturday + 2 * hour : wednesday + 15 * hour
    for (let at = from; at < from + 2.5 * hour; at += dice.between(20, 70))
      yield forced(at, dice.between(2, 8))
  }
  // The door to the yard: smokers wedge it open, twice on a day of work.
  if (door === 3)
    for (const start of workdays)
      for (const at of [10, 15])
        yield heldOpen(start + at * hour + dice.between(0, 600), dice.between(300, 700))
  // Three break-ins, one of them at night.
  if (door === 11) yield forced(wednesday + 3 * hour + 12 * minute, 240)
  if (door === 120) yield forced(wednesday + 13 * hour, 15)
  if (door === 260) yield forced(saturday + 19 * hour, 900)
}

/** Everybody leaves at once. Some doors are forgotten open. */
function* drillAt(door: number, dice: Dice): Generator<Episode> {
  const open = drill.from + dice.between(5, 90)
  const close =
    door % 15 === 4 ? drill.until + dice.between(10 * minute, 25 * minute) : open + dice.between(60, 900)
  // The controllers of one floor are too old to know modes: to them it looks like a break-in at each door.
  const isOld = floorOf(door) === 5
  const turns = isOld
    ? []
    : ([
        [drill.from, { type: 'mode', is_unlocked: true }],
        [drill.until, { type: 'mode', is_unlocked: false }],
      ] as const)
  const moves = [[open, opens] as const, [close, closes] as const]
  yield episode(drill.from - 30, Math.max(close, drill.until) + 30, ...turns, ...moves)
}

/** Technicians open doors as they need. */
function* worksAt(door: number, dice: Dice): Generator<Episode> {
  if (floorOf(door) !== works.floor) return
  for (let at = works.from + dice.between(60, 1800); at < works.until - 1200; at += dice.between(1800, 3600))
    yield forced(at, dice.between(20, 600))
}

function* uses(dice: Dice): Generator<Episode> {
  for (const start of workdays)
    for (let at = start + 7 * hour; at < start + 20 * hour; at += dice.between(60, 1500)) {
      if (dice.percent(0.4)) yield heldOpen(at, dice.between(40, 400))
      else yield dice.percent(50) ? enter(at, dice) : leave(at, dice)
    }
}

/** Everything that the controller of a door notices in the week, in order. */
export function storyOfDoor(door: number, dice: Dice): DoorInput[] {
  const special = [...drillAt(door, dice), ...worksAt(door, dice), ...nuisances(door, dice)].toSorted(byTime)
  const taken: Episode[] = []
  // What is special comes first: nobody uses a door meanwhile.
  for (const one of [...special, ...uses(dice)])
    if (!taken.some(other => one.from < other.until && other.from < one.until)) taken.push(one)
  return taken.toSorted(byTime).flatMap(({ inputs }) => inputs)
}

function byTime(one: Episode, other: Episode): number {
  return one.from - other.from
}
