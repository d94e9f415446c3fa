import type { Consumer } from '../../events/consumer.ts'
import type { FeedEvent, StoredEvent } from '../../events/feed-event.ts'
import type { PolicyCache } from '../../policy/cache.ts'
import type { VirtualContext } from '../virtual/context.ts'
import { type Coming, findComings, recordComings } from './comings.ts'
import { concernsModes, type VirtualDoors } from './virtual-doors.ts'
import { WatchedRules } from './watched-rules.ts'

interface Needs extends Pick<VirtualContext, 'db' | 'clock'> {
  readonly policies: Pick<PolicyCache, 'ask'>
}

/**
 * Follows what happens at doors, wherever it was reported: who comes first, who leaves last. And lets virtual
 * devices, which have no process of their own, drive their doors when something has changed.
 */
export function followDoors({ db, clock, policies }: Needs, virtual: VirtualDoors): Consumer {
  const watched = new WatchedRules()
  let comings: Coming[] = []
  let moved: StoredEvent[] = []
  let stirred: StoredEvent[] = []
  return {
    name: 'doors',
    begin: () => watched.load(db),
    async prepare(entries) {
      const events = entries.map(({ event }) => event)
      await watched.refresh(db, organizationsOf(events.filter(({ object }) => object.type === 'unlock_rule')))
      moved = events.filter(concernsModes)
      stirred = events.filter(({ object }) => object.type === 'gadget_state')
      comings = []
      const happened = events.filter(event => watched.has(event.organization_id) && isAtDoor(event))
      for (const [id, own] of Map.groupBy(happened, event => event.organization_id))
        comings.push(...(await findComings(policies, id, own)))
    },
    handle: (inner, _events: readonly FeedEvent[]) => recordComings(inner, comings, clock.now()),
    afterCommit: () => virtual.wake(moved, stirred),
  }
}

function isAtDoor({ object }: StoredEvent): boolean {
  return object.type === 'gadget_action' || object.type === 'gadget_signal'
}

function organizationsOf(events: readonly StoredEvent[]): string[] {
  return [...new Set(events.map(event => event.organization_id))]
}
