import { rememberedFrom, toMicroseconds } from '@gatehouse-access/core'
import type { EdgePolicy } from '../policy/slice-policy.ts'
import type { DoorMemory, Instants } from './door-memory.ts'

/** Drops arrivals and departures that no longer matter. Returns the same object if all do. */
export function forgetOld(memory: DoorMemory, { compiled }: EdgePolicy, at: number): DoorMemory {
  const arrivals = keptOf(memory.arrivals)
  const departures = keptOf(memory.departures)
  const isSame = arrivals === memory.arrivals && departures === memory.departures
  return isSame ? memory : { ...memory, arrivals, departures }

  function keptOf(instants: Instants): Instants {
    const kept = Object.entries(instants).map(([id, times]) => {
      const from = rememberedFrom(compiled, id, at)
      return [id, times.filter(time => toMicroseconds(time) >= from)] as const
    })
    const isWhole = kept.every(([id, times]) => times.length === instants[id]?.length && times.length > 0)
    return isWhole ? instants : Object.fromEntries(kept.filter(([, times]) => times.length > 0))
  }
}
