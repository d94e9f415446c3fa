import { randomBytes } from 'node:crypto'
import { noPrivacy } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { createClient } from '@gatehouse-access/sdk'
import { connect, type Pool, systemClock, verifyAudit } from '@gatehouse-access/server'
import {
  cloneDatabase,
  findFreePort,
  manyOr,
  openAccess,
  type Service,
  slowness,
  soak,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, inject } from 'vitest'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { killAtWork } from '../faults/kill-at-work.ts'

const secret_keys = [randomBytes(32)] as const
const kills = Math.max(3, manyOr(3))
/** Enough that the last kill hits the work, too. */
const count = 1000 * kills

/** A service in a process of its own, on a database that survives it. */
async function openHouse(owned: AsyncDisposableStack) {
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  const db = owned.use(connect({ url }, 2))
  const env = { DATABASE_URL: url, GATEHOUSE_SECRET_KEY: secret_keys[0].toString('base64') }
  const port = await findFreePort()
  let service: Service = await startService({ port, env })
  owned.defer(async () => void (await service.terminate()))
  const { organization_id, token } = await openAccess(db)
  const client = createClient({ base_url: `${service.url}/v2`, token, retries: 5 })
  /** Ends the process without a warning, and starts another one. */
  const kill = async () => {
    expect((await service.kill()).signal).toBe('SIGKILL')
    service = await startService({ port, env })
  }
  return { db, client, organization_id, kill }
}

async function use(db: Pool, organization_id: string, member_id: string, days: number): Promise<void> {
  const now = systemClock.now()
  for (let done = 0; done < count; done += 500)
    await logEvents(
      db,
      Array.from({ length: 500 }, (_, index) => ({
        organization_id,
        subject: { member_id, access_method: 'pin' as const },
        verb: 'use' as const,
        object: { type: 'gadget_action' as const, gadget_id: 'gad_00000000000000000000' },
        created_at: addSeconds(now, -days * 86_400 - done - index),
        // Not all at the same instant, which no index could tell apart.
        recorded_at: systemClock.now(),
      })),
    )
}

async function countRows(db: Pool, condition: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${condition}`)
  return row?.count ?? 0
}

const isLinked = (db: Pool) =>
  expect
    .poll(async () => (await countRows(db, 'events')) - (await countRows(db, 'audit_links')), {
      timeout: 60_000 * slowness(),
      interval: 500,
    })
    .toBe(0)

soak(
  'a service that is killed again and again while it erases ends with a whole erasure',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { db, client, organization_id, kill } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada', metadata: { a: 'b' } })
    await client.member_pins.create(member_id, {})
    await use(db, organization_id, member_id, 0)
    await isLinked(db)
    const { id } = await client.members.erase(member_id)
    const progress = async () => {
      const { state, counts } = await client.erasures.get(id)
      return state === 'done' ? undefined : counts.events
    }
    const begun = performance.now()
    expect(await killAtWork(kills, { total: count, progress, kill })).toBe(kills)
    console.log(`${kills} kills, ${await progress()} done after ${Math.round(performance.now() - begun)} ms`)
    await expect
      .poll(async () => (await client.erasures.get(id)).state, { timeout: 120_000 * slowness() })
      .toBe('done')
    const { counts } = await client.erasures.get(id)
    // The member, its PIN and every use.
    expect(counts.events).toBe(count + 2)
    expect(await countRows(db, `audit_amendments WHERE act = '${id}'`)).toBe(count + 2)
    expect(await countRows(db, `events WHERE subject->>'member_id' = '${member_id}'`)).toBe(0)
    expect(await countRows(db, 'events WHERE is_unlinked')).toBe(count + 2)
    await expect
      .poll(() => verifyAudit(db, { secret_keys }), { timeout: 60_000 * slowness() })
      .toMatchObject({ breaks: [], unreceipted: 0, amended: count + 2 })
  },
)

soak(
  'a service that is killed again and again while events expire loses and doubles nothing',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { db, client, organization_id, kill } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada' })
    await use(db, organization_id, member_id, 100)
    await isLinked(db)
    await db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [
      organization_id,
      { ...noPrivacy, access_days: 90 },
    ])
    // Retention runs at the start, and then every ten minutes.
    await kill()
    const left = () => countRows(db, `events WHERE subject->>'member_id' = '${member_id}'`)
    const progress = async () => {
      const rest = await left()
      return rest === 0 ? undefined : count - rest
    }
    const begun = performance.now()
    expect(await killAtWork(kills, { total: count, progress, kill })).toBe(kills)
    console.log(`${kills} kills, ${await progress()} done after ${Math.round(performance.now() - begun)} ms`)
    await expect.poll(left, { timeout: 120_000 * slowness() }).toBe(0)
    expect(await countRows(db, `audit_amendments WHERE act LIKE 'retention %'`)).toBe(count)
    const [day] = await db.query<{ amended: number }>(
      'SELECT sum(amended)::integer AS amended FROM retention_days',
    )
    expect(day?.amended).toBe(count)
    const report = await verifyAudit(db, { secret_keys })
    expect(report).toMatchObject({ breaks: [], amended: count })
  },
)
