import { noPrivacy, type Periods } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { asQuery, type Database, type Row } from '../../packages/server/src/database/postgres/query.ts'
import { systemTimers } from '../../packages/server/src/flow/timers.ts'
import {
  loadSecretKeys,
  type Pool,
  runRetention,
  systemClock,
  verifyAudit,
} from '../../packages/server/src/index.ts'
import { createMetrics } from '../../packages/server/src/monitoring/metrics.ts'
import type { Context } from '../../packages/server/src/services/objects/context.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { waitUntilSealed } from './wait-until-sealed.ts'

const day = 86_400
/** Events are spread over a year that ended so many days ago. */
const [youngest, span] = [40, 365]

/** Lets the events of an organization expire: first the persons in a hundredth of them, then all, then the events themselves. */
export async function measureRetention(events: number): Promise<void> {
  await using service = await startService()
  const { organization_id } = await createTenant(service.db, 'Retention')
  await fill(service.db, organization_id, events)
  await waitUntilSealed(service.db)
  await service.db.query('VACUUM ANALYZE events')
  await service.db.query('VACUUM ANALYZE audit_links')
  const keys = loadSecretKeys(service.data_dir)
  const verify = async () => {
    const begun = performance.now()
    const { breaks } = await verifyAudit(service.db, { secret_keys: keys, anchors: [] })
    if (breaks.length > 0) throw new Error(breaks[0]?.message)
    return performance.now() - begun
  }
  const quickest = async () => Math.min(await verify(), await verify(), await verify())

  const whole = await quickest()
  await expire(service, organization_id, { access_days: Math.round(youngest + span * 0.99) })
  const amended = await quickest()
  const unlinking = await expire(service, organization_id, { access_days: 1 })
  const months = await countMonths(service.db)
  const deleting = await expire(service, organization_id, { access_delete_days: 1 })
  const gone = months - (await countMonths(service.db))
  if (gone === 0 || gone !== deleting.drops.length)
    throw new Error(`${gone} of ${months} months are gone, and ${deleting.drops.length} were dropped`)
  await verify()

  const perMillion = (seconds: number, count: number) => ((seconds / count) * 1_000_000) / 60
  printTable(
    `Retention of ${formatCount(events)} events`,
    ['', 'value', 'bound', 'holds'],
    [
      [
        'minutes for a million to lose their person',
        ...judge(perMillion(unlinking.seconds, unlinking.count), 10, 'at most'),
      ],
      ['minutes to delete a million', ...judge(perMillion(deleting.seconds, deleting.count), 10, 'at most')],
      ['transactions in ms, 99 of 100', ...judge(unlinking.usual, 100, 'at most', 0)],
      [
        `dropping a month, the longest of ${gone}, in s`,
        ...judge(Math.max(...deleting.drops) / 1000, 1, 'at most'),
      ],
      ['verifying with 1 % amended, times without', ...judge(amended / whole, 1.15, 'at most')],
    ],
  )
  console.log(
    `verified in ${(whole / 1000).toFixed(1)} s, with amendments in ${(amended / 1000).toFixed(1)} s`,
  )
}

async function fill(db: Pool, organization_id: string, count: number): Promise<void> {
  const now = systemClock.now()
  for (let back = 0; back <= span + youngest + 31; back += 28)
    await db.query('SELECT make_event_partition($1::date)', [addSeconds(now, -back * day)])
  const batch = 2000
  for (let done = 0; done < count; done += batch) {
    const drafts = Array.from({ length: batch }, (_, index) => {
      const age = youngest * day + Math.round(((count - done - index) / count) * span * day)
      const member_id = `mem_${String(index % 100).padStart(20, '0')}`
      const gadget_id = `gad_${String(index % 50).padStart(20, '0')}`
      return {
        organization_id,
        subject: { member_id, access_method: 'pin' as const },
        verb: 'use' as const,
        object: { type: 'gadget_action' as const, gadget_id, gadget_action_id: 'open' },
        recorded_at: addSeconds(now, -age),
      }
    })
    await db.transaction(inner => logEvents(inner, drafts))
    if (done % 100_000 === 0) console.log(`  events: ${formatCount(done)}`)
  }
}

interface Expired {
  readonly count: number
  readonly seconds: number
  /** Milliseconds of transactions: 99 of 100 were no longer. */
  readonly usual: number
  /** Those of each transaction that dropped a month. */
  readonly drops: readonly number[]
}

async function countMonths(db: Pool): Promise<number> {
  const rows = await db.query(`SELECT 1 FROM pg_inherits WHERE inhparent = 'events'::regclass`)
  return rows.length
}

async function expire({ db, data_dir }: Service, id: string, periods: Periods): Promise<Expired> {
  await db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [id, { ...noPrivacy, ...periods }])
  const took: number[] = []
  const drops: number[] = []
  const timed = Object.assign(Object.create(db) as Pool, {
    transaction: async <Result>(work: (inner: Database) => Promise<Result>) => {
      const begun = performance.now()
      let hasDropped = false
      const answer = await db.transaction(inner => {
        const query = asQuery((text, params, options) => {
          hasDropped ||= text.startsWith('DROP TABLE')
          return inner.query<Row>(text, params, options)
        })
        return work({ ...inner, query })
      })
      const milliseconds = performance.now() - begun
      took.push(milliseconds)
      if (hasDropped) drops.push(milliseconds)
      return answer
    },
  })
  const config = { secret_keys: loadSecretKeys(data_dir) } as never
  const traffic = { isBusy: () => false } as never
  const begun = performance.now()
  const count = await runRetention({
    db: timed,
    clock: systemClock,
    config,
    timers: systemTimers,
    traffic,
    metrics: createMetrics(),
  } as unknown as Context)
  const seconds = (performance.now() - begun) / 1000
  const sorted = took.toSorted((one, other) => other - one)
  return {
    count,
    seconds,
    usual: sorted[Math.floor(sorted.length / 100)] ?? 0,
    drops,
  }
}
