import type { AlarmChange, DoorAlarmType, DoorInput, DoorMonitorOptions, DoorWatch } from './door-watch.ts'
import { expect, forgetExpected, isExpected } from './expected.ts'

const second = 1_000_000

/** In microseconds. A level of the contact that holds for less is chatter. */
export const chatter = 0.3 * second
/** How much later than the door an exit sensor may see somebody. */
export const exitGrace = 2 * second
/** How long after the end of a release the door may still open before nobody seems to have used it. */
export const notOpenedGrace = 5 * second
/** Tampering is over when nothing was heard of it for so long. */
export const tamperQuiet = 60 * second

export interface Watched {
  readonly watch: DoorWatch
  readonly changes: readonly AlarmChange[]
  /** When to tick at the latest, Infinity if nothing is due. */
  readonly due: number
}

/** Something that time alone brings about. */
interface Due {
  readonly at: number
  pass(watch: DoorWatch, changes: AlarmChange[]): DoorWatch
}

/**
 * Monitors one door with a contact (docs/door-monitoring.md). Pure: the same inputs give the same alarms, however
 * often it ticks in between.
 *
 *   closed ── released, exit, unlocked ──▶ expected ── opens ──▶ open ── for too long ──▶ held
 *      └── opens ──▶ unexplained ── exit within 2 s ──▶ open
 *                          └── none ──▶ forced
 *
 * Whatever is open ends when it closes. It watches and never acts: nothing here can keep a door from opening.
 */
export function watchDoor(before: DoorWatch, input: DoorInput, options: DoorMonitorOptions): Watched {
  const changes: AlarmChange[] = []
  // What happens at an instant is taken in before what is due at that instant.
  const isBefore = (at: number) => at < input.at
  const current = passTime(before, options, changes, isBefore)
  const taken = passTime(takeIn(current, input, options, changes), options, changes, isBefore)
  const isDue = (at: number) => at <= input.at
  const after = input.type === 'tick' ? passTime(taken, options, changes, isDue) : taken
  const watch = forgetExpected(after, input.at - chatter)
  return { watch, changes, due: wakeAt(watch, options) }
}

function passTime(
  before: DoorWatch,
  options: DoorMonitorOptions,
  changes: AlarmChange[],
  isPast: (at: number) => boolean,
): DoorWatch {
  let watch = before
  for (let due = nextDue(watch, options); due && isPast(due.at); due = nextDue(watch, options))
    watch = due.pass(watch, changes)
  return watch
}

/** When the next alarm begins or ends by itself. That a contact settles is not worth waking for. */
function wakeAt(watch: DoorWatch, options: DoorMonitorOptions): number {
  if (watch.changed_at === null) return nextDue(watch, options)?.at ?? Infinity
  const changes: AlarmChange[] = []
  const settled = settle(watch, changes)
  const settles = changes.length > 0 ? watch.changed_at + chatter : Infinity
  return Math.min(settles, nextDue(settled, options)?.at ?? Infinity, heldAt(watch, options) ?? Infinity)
}

function nextDue(watch: DoorWatch, options: DoorMonitorOptions): Due | undefined {
  const { awaited_until, changed_at, tampered_at, unexplained } = watch
  const dues: Due[] = []
  if (changed_at !== null) dues.push({ at: changed_at + chatter, pass: settle })
  if (unexplained[0]) dues.push({ at: unexplained[0].at + exitGrace, pass: force })
  const held = heldAt(watch, options)
  if (held !== null) dues.push({ at: held, pass: (door, changes) => begin(door, changes, 'door_held', held) })
  // The contact may still be settling on an opening in time.
  if (awaited_until !== null) dues.push({ at: awaited_until + chatter, pass: missOpening })
  if (tampered_at !== null) dues.push({ at: tampered_at + tamperQuiet, pass: endTampering })
  return dues.reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined)
}

/**
 * When the door has been open for too long. A forced door is not also held, and one that is about to be closed
 * in time is not held either.
 */
function heldAt(watch: DoorWatch, { held_open_seconds }: DoorMonitorOptions): number | null {
  const { alarms, changed_at, guarded_since, is_open, since, unexplained, unlocked_since } = watch
  if (held_open_seconds === null || !is_open || unlocked_since !== null) return null
  if (alarms.includes('door_held') || alarms.includes('door_forced')) return null
  if (unexplained.some(({ closed_at }) => closed_at === null)) return null
  const at = Math.max(since, guarded_since) + held_open_seconds * second
  return changed_at !== null && changed_at <= at ? null : at
}

function takeIn(
  watch: DoorWatch,
  input: DoorInput,
  { release_seconds, tells_not_opened = false }: DoorMonitorOptions,
  changes: AlarmChange[],
): DoorWatch {
  const { at } = input
  const until = at + release_seconds * second
  switch (input.type) {
    case 'contact':
      return input.is_reading
        ? read(watch, input.is_open, at, changes)
        : touch(watch, input.is_open, at, changes)
    case 'exit':
      return expect(watch, [at - exitGrace, until])
    case 'release': {
      const awaits =
        tells_not_opened && input.is_for_member && !watch.is_open && watch.unlocked_since === null
      const released = expect(watch, [input.since ?? at, until])
      return awaits ? { ...released, awaited_until: until + notOpenedGrace } : released
    }
    case 'mode':
      return input.is_unlocked ? unlock(watch, at) : guard(watch, at)
    case 'tamper':
      return begin({ ...watch, tampered_at: at }, changes, 'door_tampered', at)
    case 'tick':
      return watch
  }
}

/** The contact has another level. It counts once it has held for a while, and from now on. */
function touch(before: DoorWatch, is_open: boolean, at: number, changes: AlarmChange[]): DoorWatch {
  const isSettled = before.changed_at !== null && before.changed_at + chatter <= at
  const watch = isSettled ? settle(before, changes) : before
  if (is_open === watch.is_open) return { ...watch, changed_at: null }
  return { ...watch, changed_at: watch.changed_at ?? at }
}

function read(watch: DoorWatch, is_open: boolean, at: number, changes: AlarmChange[]): DoorWatch {
  const settled = { ...watch, changed_at: null }
  if (is_open === watch.is_open) return settled
  return is_open ? { ...settled, is_open, since: at } : close(settled, at, changes)
}

function settle(watch: DoorWatch, changes: AlarmChange[]): DoorWatch {
  const { changed_at, is_open } = watch
  if (changed_at === null) return watch
  const settled = { ...watch, changed_at: null }
  return is_open ? close(settled, changed_at, changes) : open(settled, changed_at)
}

function open(watch: DoorWatch, at: number): DoorWatch {
  const { awaited_until, unexplained } = watch
  const isAwaited = awaited_until !== null && at <= awaited_until
  return {
    ...watch,
    is_open: true,
    since: at,
    awaited_until: isAwaited ? null : awaited_until,
    unexplained: isExpected(watch, at) ? unexplained : [...unexplained, { at, closed_at: null }],
  }
}

function close(watch: DoorWatch, at: number, changes: AlarmChange[]): DoorWatch {
  const unexplained = watch.unexplained.map(opening => ({ ...opening, closed_at: opening.closed_at ?? at }))
  const closed = { ...watch, is_open: false, since: at, unexplained }
  return end(end(closed, changes, 'door_forced', at), changes, 'door_held', at)
}

function unlock(watch: DoorWatch, at: number): DoorWatch {
  return watch.unlocked_since === null ? { ...watch, unlocked_since: at, awaited_until: null } : watch
}

function guard(watch: DoorWatch, at: number): DoorWatch {
  const { unlocked_since } = watch
  if (unlocked_since === null) return watch
  return expect({ ...watch, unlocked_since: null, guarded_since: at }, [unlocked_since, at])
}

/** Nobody was seen at the exit: whoever opened it came from outside. It may be closed again by now. */
function force(watch: DoorWatch, changes: AlarmChange[]): DoorWatch {
  const [opening, ...unexplained] = watch.unexplained
  if (!opening) return watch
  const forced = begin({ ...watch, unexplained }, changes, 'door_forced', opening.at)
  return opening.closed_at === null ? forced : end(forced, changes, 'door_forced', opening.closed_at)
}

/** An alarm of a moment. */
function missOpening(watch: DoorWatch, changes: AlarmChange[]): DoorWatch {
  const at = watch.awaited_until ?? 0
  const begun = begin({ ...watch, awaited_until: null }, changes, 'door_not_opened', at)
  return end(begun, changes, 'door_not_opened', at)
}

function endTampering(watch: DoorWatch, changes: AlarmChange[]): DoorWatch {
  const at = (watch.tampered_at ?? 0) + tamperQuiet
  return end({ ...watch, tampered_at: null }, changes, 'door_tampered', at)
}

function begin(watch: DoorWatch, changes: AlarmChange[], type: DoorAlarmType, at: number): DoorWatch {
  if (watch.alarms.includes(type)) return watch
  changes.push({ type, event: 'begin', at })
  return { ...watch, alarms: [...watch.alarms, type] }
}

function end(watch: DoorWatch, changes: AlarmChange[], type: DoorAlarmType, at: number): DoorWatch {
  if (!watch.alarms.includes(type)) return watch
  changes.push({ type, event: 'end', at })
  return { ...watch, alarms: watch.alarms.filter(other => other !== type) }
}
