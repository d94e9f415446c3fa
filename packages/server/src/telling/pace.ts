import { addSeconds, alarmSeverities } from '@gatehouse-access/core'

/** What waits for one recipient and goes as one message, unless there are too many. */
export interface Group {
  readonly group_key: string
  /** Of its gravest alarm, counted from 1. */
  readonly rank: number
  readonly is_end: boolean
}

/** What becomes of groups: own messages, one digest of all of them, or a wait. */
export interface Paced<One extends Group> {
  readonly alone: readonly One[]
  readonly together: readonly One[]
  readonly held: readonly One[]
  /** Until when those wait. */
  readonly until: string
}

/** A message of the last hour. */
export interface Sent {
  readonly at: string
  readonly is_digest: boolean
}

/**
 * A recipient gets at most 20 messages in any hour: these, and a digest every 10 minutes. What is not critical leaves
 * room, so that a break-in amid a hundred warnings does not wait for a digest.
 */
const mostAlone = 14
const mostUsual = 10
const mostMessages = 20
const gap = 600
export const paceSpan = 3600

/** Decides what a recipient gets now, the gravest first. `before` has the messages of the last hour. */
export function pace<One extends Group>(
  groups: readonly One[],
  before: readonly Sent[],
  now: string,
): Paced<One> {
  const sorted = groups.toSorted((one, other) => orderOf(one) - orderOf(other))
  const single = before.filter(({ is_digest }) => !is_digest).length
  const hasRoom = (group: One, place: number) =>
    single + place < roomFor(group) && before.length + place < mostMessages
  const count = sorted.findLastIndex(hasRoom) + 1
  const rest = sorted.slice(count)
  const alone = sorted.slice(0, count)
  const until = addSeconds(lastDigest(before) ?? now, gap)
  const mayDigest = before.length + alone.length < mostMessages && until <= now
  return {
    alone,
    together: mayDigest ? rest : [],
    held: mayDigest ? [] : rest,
    until: until > now ? until : addSeconds(now, gap),
  }
}

/** When the time to the next digest began: with the last one, or with the first message of the hour. */
function lastDigest(before: readonly Sent[]): string | undefined {
  const times = (some: readonly Sent[]) => some.map(({ at }) => at).toSorted()
  return times(before.filter(({ is_digest }) => is_digest)).at(-1) ?? times(before)[0]
}

function roomFor({ rank, is_end }: Group): number {
  return rank === alarmSeverities.length && !is_end ? mostAlone : mostUsual
}

function orderOf({ rank, is_end }: Group): number {
  return -rank * 2 + Number(is_end)
}
