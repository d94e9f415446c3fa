import { measureLag } from '../events/lag.ts'
import type { Context } from '../services/objects/context.ts'
import { measureTelling } from '../telling/lag.ts'

type Needs = Pick<Context, 'audit' | 'clock' | 'db' | 'feed' | 'metrics' | 'recovery' | 'zones'>

/** The gauges of what all parts of the service share. Each part measures itself. */
export function measureService({ audit, clock, db, feed, metrics, recovery, zones }: Needs): void {
  metrics.gauge('gatehouse_feed_lag_seconds', 'Age of the oldest event that readers cannot see yet.', () =>
    feed.lag().catch(() => Number.NaN),
  )
  for (const consumer of ['webhooks', 'audit', 'doors', 'alarms'])
    metrics.gauge(
      'gatehouse_consumer_lag_seconds',
      'Age of the oldest event that the consumer has not handled yet.',
      () => measureLag({ db, feed, clock }, consumer).catch(() => Number.NaN),
      { consumer },
    )
  measureTelling({ db, clock, metrics })
  metrics.gauge('gatehouse_audit_alarm', '1 while the audit chain is found to be tampered with.', () =>
    audit.alarm === undefined ? 0 : 1,
  )
  metrics.gauge('gatehouse_recovered', '1 while a restore waits for its confirmation.', () =>
    recovery.is_on ? 1 : 0,
  )
  metrics.gauge(
    'gatehouse_sites_in_unknown_zones',
    'Sites in time zones that the zone data does not know; should be 0.',
    () => zones.unknown.values().reduce((sum, sites) => sum + sites, 0),
  )
  metrics.gauge('gatehouse_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage.rss())
}
