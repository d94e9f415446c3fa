import { cloneDatabase } from '@gatehouse-access/testkit'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { connect } from '../src/database/db.ts'
import { openNotifier } from '../src/events/notifier.ts'
import { openLog } from '../src/monitoring/log.ts'

afterEach(() => void vi.useRealTimers())

test('a clock that is set back silences no notification', async () => {
  await using database = await cloneDatabase(inject('databases'))
  await using here = connect({ url: database.url }, 1)
  await using elsewhere = connect({ url: database.url }, 1)
  let heard = 0
  await elsewhere.listen('gatehouse_events', () => void heard++)
  const notifier = openNotifier(here, openLog('silent'), 'gatehouse_events')
  notifier.notify()
  await expect.poll(() => heard).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  notifier.notify()
  vi.useRealTimers()
  await expect.poll(() => heard).toBe(2)
})
