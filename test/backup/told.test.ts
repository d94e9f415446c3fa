import { world } from '@gatehouse-access/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { BackupWatch } from '../../packages/server/src/backup/watch.ts'
import { createMetrics } from '../../packages/server/src/monitoring/metrics.ts'
import { found, signUp } from '../oauth/people.ts'

test('who administers the only organization is told when its backups were verified, and when they fail', async () => {
  await using w = await world({ is_reachable: true })
  const owner = await signUp(w, 'owner@example.com')
  const other = await signUp(w, 'other@example.com')
  await found(owner)
  const told = async (visitor = owner) =>
    (await visitor.account<{ backups?: object }>('GET', '/account/session')).body.backups
  expect(await told()).toBeUndefined()

  const watch = new BackupWatch(pino({ level: 'silent' }), createMetrics())
  w.server.context.backup_health.follow(() => watch.tell())
  expect(await told()).toBeUndefined()
  const verified_at = new Date(Date.now() - 86_400_000).toISOString()
  watch.done('drill', verified_at)
  expect(await told()).toEqual({ verified_at, is_failing: false })
  expect(await told(other)).toBeUndefined()
  watch.failed('base', 'the folder is full')
  expect(await told()).toEqual({ verified_at, is_failing: true })

  await found(other)
  expect([await told(), await told(other)]).toEqual([undefined, undefined])
})
