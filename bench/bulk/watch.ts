import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../service.ts'

export interface Seen {
  /** Megabytes beyond those of the beginning. */
  readonly memory: number
  /** Milliseconds. */
  readonly longest_transaction: number
  /** Seconds. */
  readonly feed_lag: number
}

/** Looks at the service and its database while something goes on, and returns the most it saw. */
export async function watch(service: Service, work: Promise<unknown>): Promise<Seen> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  const before = await service.memory()
  const most = { memory: 0, longest_transaction: 0, feed_lag: 0 }
  const look = async (gap: number, once: () => Promise<void>) => {
    while (!isOver) {
      await once()
      await sleep(gap)
    }
  }
  await Promise.all([
    ended,
    look(20, async () => {
      most.longest_transaction = Math.max(most.longest_transaction, await readLongest(service))
    }),
    look(250, async () => {
      most.memory = Math.max(most.memory, (await service.memory()) - before)
      most.feed_lag = Math.max(most.feed_lag, await service.metric('gatehouse_feed_lag_seconds'))
    }),
  ])
  return most
}

/**
 * Without statistics that are taken: they hold nobody back. And without idle connections: one that is read while its transaction
 * ends can still show when an earlier one began.
 */
async function readLongest({ db }: Service): Promise<number> {
  const [row] = await db.query<{ longest: number | null }>(
    `SELECT max(extract(epoch FROM clock_timestamp() - xact_start) * 1000)::integer AS longest FROM pg_stat_activity
     WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle' AND query NOT LIKE 'ANALYZE%'`,
  )
  return row?.longest ?? 0
}
