import { type DoorNow, modeOfDoorSteps, type Steps, toMicroseconds } from '@gatehouse-access/core'
import { type DoorGadget, isDoor, type Station } from '@gatehouse-access/edge/controller'

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
export function* passTime(
  station: Station,
  closing: readonly Closing[],
  turnsAt: string | null,
  now: string,
): Steps<void> {
  const { alarms, policy } = station
  const closings = closing.map(({ id, at }) => {
    const state = policy.gadget(id)?.door?.closed_state_id ?? ''
    const instant = toMicroseconds(at)
    return { at: instant, pass: () => alarms.sense(id, state, false, instant) }
  })
  const turns = (yield* turnsBetween(station, turnsAt, now)).map(({ at, modes }) => ({
    at,
    pass: () => alarms.follow(modes, at),
  }))
  for (const { pass } of [...closings, ...turns].sort((a, b) => a.at - b.at)) pass()
}

interface Turn {
  readonly at: number
  readonly modes: readonly (DoorNow & { readonly gadget: DoorGadget })[]
}

function* turnsBetween(station: Station, turnsAt: string | null, now: string): Steps<Turn[]> {
  const turns: Turn[] = []
  const end = toMicroseconds(now)
  let at = turnsAt === null ? Infinity : toMicroseconds(turnsAt)
  while (at < end && turns.length < mostTurns) {
    const modes = yield* modesAt(station, at)
    turns.push({ at, modes })
    at = Math.min(Infinity, ...modes.map(({ next_change }) => next_change))
  }
  return turns
}

function* modesAt({ device_id, policy }: Station, at: number): Steps<Turn['modes']> {
  const modes: Turn['modes'][number][] = []
  for (const gadget of policy.rows('gadgets').values()) {
    if (!isDoor(gadget) || gadget.device_id !== device_id) continue
    const found = yield* modeOfDoorSteps(policy.compiled, gadget.id, at)
    if (found) modes.push({ gadget, ...found })
  }
  return modes
}
