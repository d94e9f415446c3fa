import type { Steps } from '@gatehouse-access/core'
import { inSlices } from '../../flow/slices.ts'
import type { ZoneData } from '../../zones/zone-data.ts'
import type { Visit } from './visit.ts'

interface OfferedZone {
  readonly name: string
  readonly offset: number
  readonly next: { readonly at: string; readonly offset: number } | null
}

/** The time zones that a site can be in, with what their clocks show. A browser may know others. */
export async function getZones({ context: { zones, clock }, session }: Visit): Promise<object> {
  return { release: zones.release, data: await inSlices(session.user_id, offer(zones, clock.now())) }
}

/** The first time, each table is made. */
function* offer(zones: ZoneData, now: string): Steps<OfferedZone[]> {
  const offered: OfferedZone[] = []
  for (const name of zones.names) {
    const next = zones.nextChange(name, now)
    offered.push({
      name,
      offset: zones.offsetAt(name, now),
      next: next && { at: next.at, offset: next.offset_after },
    })
    yield
  }
  return offered
}
