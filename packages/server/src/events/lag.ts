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
  const position = await positionOf(context, name)
  return position === undefined ? 0 : lagAfter(context, position)
}

/** Whether a consumer has handled every event that was recorded until then. */
export async function hasPassed(context: Needs, name: string, instant: string): Promise<boolean> {
  const position = await positionOf(context, name)
  if (position === undefined) return true
  const oldest = await firstAfter(context, position)
  return oldest === undefined || oldest.recorded_at > instant
}

async function positionOf({ db }: Needs, name: string): Promise<string | undefined> {
  return (await loadPositions(db)).find(({ consumer }) => consumer === name)?.position
}

async function lagAfter(context: Needs, after: string): Promise<number> {
  const oldest = await firstAfter(context, after)
  if (!oldest) return 0
  const age = epochMilliseconds(context.clock.now()) - epochMilliseconds(oldest.recorded_at)
  return Math.max(0, age / 1000)
}

async function firstAfter({ feed }: Needs, after: string) {
  const [oldest] = await feed.page({ after, batch: 1 })
  return oldest?.event
}
