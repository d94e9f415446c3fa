import { epochMilliseconds } from '@gatehouse-access/core'
import type { Pool } from '../database/db.ts'
import type { Clock } from '../flow/clock.ts'
import { loadPositions } from './cursors.ts'
import type { Feed } from './feed.ts'

interface Needs {
  readonly db: Pool
  readonly feed: Feed
  readonly clock: Clock
}

/** Returns for each consumer the age in seconds of the oldest event that it has not handled yet. */
export async function measureLags(context: Needs): Promise<Record<string, number>> {
  const lags: Record<string, number> = {}
  for (const { consumer, position } of await loadPositions(context.db))
    lags[consumer] = await lagAfter(context, position)
  return lags
}

export async function measureLag(context: Needs, name: string): Promise<number> {
  const positions = await loadPositions(context.db)
  const found = positions.find(({ consumer }) => consumer === name)
  return found ? lagAfter(context, found.position) : 0
}

async function lagAfter({ feed, clock }: Needs, after: string): Promise<number> {
  const [oldest] = await feed.page({ after, batch: 1 })
  if (!oldest) return 0
  const age = epochMilliseconds(clock.now()) - epochMilliseconds(oldest.event.recorded_at)
  return Math.max(0, age / 1000)
}
