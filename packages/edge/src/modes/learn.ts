import type { SliceRow } from '@gatehouse-access/api'
import type { DoorFact, DoorMemory, Instants } from './door-memory.ts'

/** More than any period needs: one arrival, and one more after each time that everybody left early. */
const mostInstants = 50

/** A signal is remembered where a rule makes a departure of it, an action by what it did to a lock. */
export type Remembered = Exclude<DoorFact, { type: 'signal' | 'action' }>
type FactOf<Type extends DoorFact['type']> = Extract<DoorFact, { type: Type }>
type Emergencies = Iterable<SliceRow<'emergencies'>>

/** Returns the memory with a fact. A fact that is known already changes nothing. */
export function learn(memory: DoorMemory, fact: Remembered, emergencies: Emergencies): DoorMemory {
  switch (fact.type) {
    case 'arrival':
      return { ...memory, arrivals: withInstant(memory.arrivals, fact) }
    case 'departure':
      return { ...memory, departures: withInstant(memory.departures, fact) }
    case 'start':
      return start(memory, fact)
    case 'acknowledged':
      return acknowledge(memory, fact)
    case 'end':
      return end(memory, fact, emergencies)
    case 'fire':
      return { ...memory, fires: { ...memory.fires, [fact.site_id]: fact.fire } }
  }
}

function withInstant(known: Instants, { unlock_rule_ids, at }: FactOf<'arrival' | 'departure'>): Instants {
  const added = unlock_rule_ids.map(id => [id, [...(known[id] ?? []), at].slice(-mostInstants)])
  return { ...known, ...Object.fromEntries(added) }
}

/** Two buttons of one plan make one emergency. */
function start(memory: DoorMemory, { emergency }: FactOf<'start'>): DoorMemory {
  if (memory.emergencies.some(({ plan }) => plan.id === emergency.plan.id)) return memory
  return { ...memory, emergencies: [...memory.emergencies, emergency] }
}

function acknowledge(memory: DoorMemory, { local_id }: FactOf<'acknowledged'>): DoorMemory {
  const emergencies = memory.emergencies.map(emergency =>
    emergency.local_id === local_id ? { ...emergency, is_acknowledged: true } : emergency,
  )
  return { ...memory, emergencies }
}

function end(memory: DoorMemory, { plan_id }: FactOf<'end'>, emergencies: Emergencies): DoorMemory {
  const ended = [...emergencies]
    .filter(row => row.plan_id === plan_id)
    .map(({ id, held_until }) => ({ id, held_until: held_until ?? null }))
  const others = memory.ended.filter(({ id }) => !ended.some(row => row.id === id))
  return {
    ...memory,
    emergencies: memory.emergencies.filter(({ plan }) => plan.id !== plan_id),
    ended: [...others, ...ended],
  }
}
