import { addSeconds } from '@gatehouse-access/core'
import { world } from '@gatehouse-access/testkit'
import { expect, test } from 'vitest'
import { findCountsFrom, grace, PresenceWatch } from '../../packages/server/src/alarms/presence-watch.ts'

/** What follows from it for alarms is in devices.test.ts. */
test('devices count from 120 s after a lone start or an absence of all, not after another process starts', async () => {
  await using w = await world()
  const { db, clock, timers, life } = w.server.context
  expect(await findCountsFrom(db)).toBe('')
  {
    const started = clock.now()
    await using _alone = new PresenceWatch({ db, clock, timers, life })
    await expect.poll(() => findCountsFrom(db)).not.toBe('')
    const counts = await findCountsFrom(db)
    expect(counts >= addSeconds(started, grace)).toBe(true)
    expect(counts <= addSeconds(clock.now(), grace)).toBe(true)
  }
  const before = await findCountsFrom(db)
  const watchedAt = async () => {
    const [row] = await db.query<{ at: string }>('SELECT watched_at::text AS at FROM presence_watch')
    return row?.at ?? ''
  }
  w.clock.advance(1000)
  const last = await watchedAt()
  // The process of this world lives, so another one that starts is not alone.
  await using _second = new PresenceWatch({ db, clock, timers, life: { owner: 'another' } })
  await expect.poll(watchedAt).not.toBe(last)
  expect(await findCountsFrom(db)).toBe(before)
  // Nobody could say for a while that he watches, as when the database is away.
  await db.query(`UPDATE presence_watch SET watched_at = clock_timestamp() - interval '16 seconds'`)
  const back = clock.now()
  w.timers.advance(1000)
  await expect.poll(() => findCountsFrom(db)).not.toBe(before)
  expect((await findCountsFrom(db)) >= addSeconds(back, grace)).toBe(true)
})
