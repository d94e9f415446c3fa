import { pause, type Timers } from '../../flow/timers.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import { Flights } from './flights.ts'
import type { Needs } from './needs.ts'
import { findDue, takeTurn } from './tell-people.ts'
import { Turns } from './turns.ts'

interface TellingContext extends Needs {
  readonly timers: Timers
  readonly recovery: Pick<Recovery, 'is_on'>
}

/** Milliseconds between looks. */
const interval = 250
/** Organizations whose turn it is at once. */
const mostTurns = 32

/**
 * Tells people of alarms until disposed. An organization has one turn at a time, and nobody's turn waits for slow
 * receivers. A recovered service tells nobody: what it knows is old.
 */
export function startTelling(context: TellingContext): AsyncDisposable {
  const end = new AbortController()
  const flights = new Flights()
  const turns = new Turns()
  const current = new Map<string, Promise<void>>()
  const begin = (id: string) => {
    turns.note(id)
    const turn = takeTurn(context, id, flights)
      .catch(error => context.log.error({ err: error, organization_id: id }, 'people are told later'))
      .finally(() => current.delete(id))
    current.set(id, turn)
  }
  const look = async () => {
    const due = turns.order(await findDue(context))
    for (const id of due) if (!current.has(id) && current.size < mostTurns) begin(id)
  }
  const running = (async () => {
    while (!end.signal.aborted) {
      if (!context.recovery.is_on)
        await look().catch(error => context.log.error({ err: error }, 'people are told later'))
      await pause(context.timers, interval, end.signal)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      end.abort()
      await running
      await Promise.all(current.values())
      await flights.landed()
    },
  }
}
