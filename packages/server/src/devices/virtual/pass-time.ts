import { modeOfDoor, toMicroseconds } from '@gatehouse-access/core'
import { isDoor, type Station } from '@gatehouse-access/edge/controller'

interface Closing {
  readonly id: string
  readonly at: string
}

/** A device that nobody looked at for days catches up with its last turns. */
const mostTurns = 64

/**
 * Tells the monitor of a virtual device what happened at its doors since anybody looked at it: which closed by
 * themselves, and which modes turned. In order, and when it happened: otherwise a door that closed in time would
 * seem to be held, because the service was down.
 */
export function passTime(
  station: Station,
  closing: readonly Closing[],
  turnsAt: string | null,
  now: string,
): void {
  const { alarms, policy } = station
  const closings = closing.map(({ id, at }) => {
    const state = policy.gadget(id)?.door?.closed_state_id ?? ''
    const instant = toMicroseconds(at)
    return { at: instant, pass: () => alarms.sense(id, state, false, instant) }
  })
  const turns = turnsBetween(station, turnsAt, now).map(at => ({ at, pass: () => follow(station, at) }))
  for (const { pass } of [...closings, ...turns].sort((a, b) => a.at - b.at)) pass()
}

function turnsBetween(station: Station, turnsAt: string | null, now: string): number[] {
  const turns: number[] = []
  const end = toMicroseconds(now)
  let at = turnsAt === null ? Infinity : toMicroseconds(turnsAt)
  while (at < end && turns.length < mostTurns) {
    turns.push(at)
    at = Math.min(Infinity, ...modesAt(station, at).map(({ next_change }) => next_change))
  }
  return turns
}

function follow(station: Station, at: number): void {
  station.alarms.follow(modesAt(station, at), at)
}

function modesAt({ device_id, policy }: Station, at: number) {
  const own = [...policy.rows('gadgets').values()].filter(isDoor)
  return own
    .filter(gadget => gadget.device_id === device_id)
    .flatMap(gadget => {
      const found = modeOfDoor(policy.compiled, gadget.id, at)
      return found ? [{ gadget, ...found }] : []
    })
}
