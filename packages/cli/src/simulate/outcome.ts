import type { Simulation } from '@gatehouse-access/api'

type Happening = Simulation['events'][number]

/** Says what a virtual device did. */
export function describeOutcome({ buffered_events, events, online }: Simulation): string {
  const told = events.map(describeHappening)
  const waiting = buffered_events > 0 ? [`${buffered_events} events wait for the network`] : []
  if (told.length + waiting.length > 0) return [...told, ...waiting].join('; ')
  return online ? 'connected' : 'not connected'
}

function describeHappening({ action_id, mode, reason, signal_id, state_id, type }: Happening): string {
  if (type === 'denial') return `denied: ${reason}`
  if (type === 'use') return `allowed: ${action_id}`
  if (type === 'exit') return `released for the exit (${signal_id})`
  if (type === 'mode') return `the door is ${mode}`
  if (type === 'trigger') return `a trigger ran ${action_id}`
  if (type === 'trigger_denial') return `a trigger did not run ${action_id}: the door is locked down`
  if (type === 'state') return `it is ${state_id}`
  return type === 'signal' ? `it signalled ${signal_id}` : type
}
