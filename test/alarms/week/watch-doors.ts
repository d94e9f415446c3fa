import { type DoorAlarmType, type DoorInput, startWatch, watchDoor } from '@gatehouse-access/core'

/** An alarm that begins or ends at a door: since when, and when its controller knows. Seconds. */
export interface DoorTurn {
  readonly turn: 'begin' | 'end'
  readonly type: DoorAlarmType
  readonly at: number
  readonly known_at: number
}

const second = 1_000_000
const options = { release_seconds: 5, held_open_seconds: 30 }

/** Has the door monitor of controllers watch a door. */
export function watch(inputs: readonly DoorInput[]): DoorTurn[] {
  const turns: DoorTurn[] = []
  let door = startWatch(0, false)
  let due = Infinity
  const take = (input: DoorInput) => {
    const watched = watchDoor(door, input, options)
    ;({ watch: door, due } = watched)
    for (const { type, event, at } of watched.changes)
      turns.push({ turn: event, type, at: at / second, known_at: input.at / second })
  }
  for (const input of inputs) {
    while (due < input.at) take({ type: 'tick', at: due })
    take(input)
  }
  while (due < Infinity) take({ type: 'tick', at: due })
  return turns
}

/**
 * Counts what contacts alone would report: each opening without a release or a request before it, and its end, and
 * each door that stands open for too long, and its end.
 */
export function countRaw(inputs: readonly DoorInput[]): Record<'door_forced' | 'door_held', number> {
  const counted = { door_forced: 0, door_held: 0 }
  let allowed = -Infinity
  let opened = 0
  let isUnlocked = false
  let isForced = false
  for (const input of inputs) {
    if (input.type === 'release' || input.type === 'exit')
      allowed = input.at + options.release_seconds * second
    if (input.type === 'mode') isUnlocked = input.is_unlocked
    if (input.type !== 'contact') continue
    if (input.is_open) {
      opened = input.at
      isForced = !isUnlocked && input.at > allowed
      if (isForced) counted.door_forced += 2
    } else if (!isForced && !isUnlocked && input.at - opened > options.held_open_seconds * second)
      counted.door_held += 2
  }
  return counted
}
