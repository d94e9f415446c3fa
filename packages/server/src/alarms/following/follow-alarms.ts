import type { Consumer } from '../../events/consumer.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Clock } from '../../flow/clock.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { serviceCaller } from '../../store/caller.ts'
import { followTurns } from '../begin-conditions.ts'
import { followCalendars } from './calendars.ts'
import { followDeletions } from './deletions.ts'
import { followDenials, isDenial } from './denials.ts'
import { followMoves } from './moves.ts'
import { followStays } from './stays.ts'
import { followSnoozes, watchEmergencies } from './timers-of-events.ts'
import { turnOf } from './turns.ts'
import { followWebhooks } from './webhooks.ts'

interface Needs {
  readonly clock: Clock
  readonly metrics: Metrics
}

/**
 * Finds in the feed what is wrong, wherever it was reported: devices that come and go, emergencies, denials,
 * webhooks. Its work commits with its cursor, so everything counts once.
 */
export function followAlarms({ clock, metrics }: Needs): Consumer {
  let opened = 0
  return {
    name: 'alarms',
    async handle(db, entries) {
      const events = entries.map(({ event }) => event).filter(isOfInterest)
      opened = events.filter(({ object, verb }) => object.type === 'alarm' && verb === 'create').length
      for (const [id, own] of Map.groupBy(events, event => event.organization_id)) {
        const author = { caller: serviceCaller(id), now: clock.now() }
        await followTurns(db, author, own.flatMap(turnOf))
        await followDenials(db, author, own.filter(isDenial))
        await followWebhooks(db, author, own)
        await followCalendars(db, author, own)
        await followDeletions(db, author, own)
        await followMoves(db, author, own)
        await watchEmergencies(db, author, own)
        await followStays(db, author, own)
        await followSnoozes(db, author, own)
      }
    },
    afterCommit: () => metrics.count('gatehouse_alarms_opened_total', {}, opened),
  }
}

const kinds = new Set<string>([
  'device',
  'site',
  'gadget',
  'member',
  'member_group_association',
  'member_pin',
  'member_card',
  'emergency',
  'access_denial',
  'webhook',
  'calendar',
  'alarm',
])

/** Most events are about uses of doors. */
function isOfInterest({ object }: StoredEvent): boolean {
  return kinds.has(object.type)
}
