import type { DoorInput, DoorMonitorOptions } from '../src/index.ts'

/** One alarm: when it began, and when it ended, or null if it is still on. */
export type OracleAlarm = readonly [type: string, began: number, ended: number | null]

type Input<Type> = DoorInput & { readonly type: Type }
interface Span {
  readonly from: number
  /** Infinity if it goes on. */
  readonly to: number
}

/**
 * What a door monitor has to say about a whole story, as the specification puts it: looks at all that happened at
 * once, keeps no state and saves no work. The door is closed, and locked, when the story begins.
 */
export function judgeStory(story: readonly DoorInput[], options: DoorMonitorOptions): OracleAlarm[] {
  const levels = levelsOf(of(story, 'contact'))
  const openings = openingsOf(levels)
  const unlocked = unlockedSpans(of(story, 'mode'))
  const forced = openings.filter(({ from }) => isForced(story, unlocked, from, options.release_seconds * 1e6))
  const others = openings.filter(opening => !forced.includes(opening))
  const found: OracleAlarm[] = [
    ...forced.map(({ from, to }): OracleAlarm => ['door_forced', from, ended(to)]),
    ...others.flatMap(opening => held(opening, levels, unlocked, options)),
    ...notOpened(story, openings, unlocked, options),
    ...tampered(of(story, 'tamper').map(({ at }) => at)),
  ]
  return found.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
}

function of<Type extends DoorInput['type']>(story: readonly DoorInput[], type: Type): Input<Type>[] {
  return story.filter((input): input is Input<Type> => input.type === type)
}

function ended(to: number): number | null {
  return to === Infinity ? null : to
}

/** The contact as it was reported, in stretches of one level. */
function levelsOf(reports: readonly { at: number; is_open: boolean }[]): (Span & { is_open: boolean })[] {
  const all = [{ at: -Infinity, is_open: false }, ...reports]
  const changes = all.filter(({ is_open }, index) => index === 0 || is_open !== all[index - 1]?.is_open)
  return changes.map(({ at, is_open }, index) => ({
    is_open,
    from: at,
    to: changes[index + 1]?.at ?? Infinity,
  }))
}

/** Levels of less than 300 ms never were. */
function openingsOf(levels: readonly (Span & { is_open: boolean })[]): Span[] {
  const lasting = levels.filter(({ from, to }) => to - from >= 300_000)
  const changes = lasting.filter(({ is_open }, index) => is_open !== lasting[index - 1]?.is_open)
  return changes.flatMap(({ is_open, from }, index) =>
    is_open ? [{ from, to: changes[index + 1]?.from ?? Infinity }] : [],
  )
}

function unlockedSpans(modes: readonly { at: number; is_unlocked: boolean }[]): Span[] {
  const all = [{ at: -Infinity, is_unlocked: false }, ...modes]
  const changes = all.filter((mode, index) => index === 0 || mode.is_unlocked !== all[index - 1]?.is_unlocked)
  return changes.flatMap(({ at, is_unlocked }, index) =>
    is_unlocked ? [{ from: at, to: changes[index + 1]?.at ?? Infinity }] : [],
  )
}

function isForced(
  story: readonly DoorInput[],
  unlocked: readonly Span[],
  at: number,
  release: number,
): boolean {
  const isUnlocked = unlocked.some(({ from, to }) => from <= at && at <= to)
  const isReleased = of(story, 'release').some(
    input => (input.since ?? input.at) <= at && at <= input.at + release && input.at <= at + 2_000_000,
  )
  const isExit = of(story, 'exit').some(input => at - release <= input.at && input.at <= at + 2_000_000)
  return !isUnlocked && !isReleased && !isExit
}

/** The first stretch without anybody being allowed in that lasts too long makes it held, until it is closed. */
function held(
  { from, to }: Span,
  levels: readonly (Span & { is_open: boolean })[],
  unlocked: readonly Span[],
  { held_open_seconds }: DoorMonitorOptions,
): OracleAlarm[] {
  if (held_open_seconds === null) return []
  const starts = [from, ...unlocked.map(span => span.to).filter(at => at > from && at < to)]
  const begins = starts
    .filter(start => !unlocked.some(span => span.from <= start && start < span.to))
    .map(start => ({ start, at: start + held_open_seconds * 1e6 }))
    .filter(({ at }) => at < to)
    .filter(({ start, at }) => !unlocked.some(span => span.from > start && span.from <= decided(levels, at)))
  return begins.slice(0, 1).map(({ at }) => ['door_held', at, ended(to)])
}

/** While the contact chatters, nobody knows whether it was closed in time. */
function decided(levels: readonly (Span & { is_open: boolean })[], at: number): number {
  const dip = levels.find(({ from, is_open, to }) => !is_open && from <= at && at < to)
  return dip ? dip.to : at
}

function notOpened(
  story: readonly DoorInput[],
  openings: readonly Span[],
  unlocked: readonly Span[],
  { release_seconds, tells_not_opened }: DoorMonitorOptions,
): OracleAlarm[] {
  if (!tells_not_opened) return []
  const seenOpen = ({ from, to }: Span, at: number) => from + 300_000 < at && !(to + 300_000 < at)
  const releases = of(story, 'release').filter(
    ({ at, is_for_member }) =>
      is_for_member &&
      !openings.some(opening => seenOpen(opening, at)) &&
      !unlocked.some(({ from, to }) => from < at && at < to),
  )
  return releases.flatMap(({ at }, index) => {
    const until = at + (release_seconds + 5) * 1e6
    const told = until + 300_000
    const isUsed = openings.some(({ from }) => from + 300_000 >= at && from <= until)
    const isRepeated = (releases[index + 1]?.at ?? Infinity) <= told
    const isUnlocked = unlocked.some(({ from }) => from > at && from <= told)
    return isUsed || isRepeated || isUnlocked ? [] : [['door_not_opened', until, until] as const]
  })
}

function tampered(signals: readonly number[]): OracleAlarm[] {
  const firsts = signals.filter((at, index) => at - (signals[index - 1] ?? -Infinity) > 60_000_000)
  return firsts.map(first => {
    const next = firsts[firsts.indexOf(first) + 1] ?? Infinity
    const last = signals.findLast(at => at < next) ?? first
    return ['door_tampered', first, last + 60_000_000]
  })
}
