import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noPrivacy } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { createClient } from '@gatehouse-access/sdk'
import { connect, type Pool, systemClock, verifyAudit } from '@gatehouse-access/server'
import {
  Chance,
  cloneDatabase,
  findFreePort,
  manyOr,
  openAccess,
  type Service,
  seed,
  slowness,
  soak,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, inject } from 'vitest'
import { logEvents } from '../../packages/server/src/store/event-log.ts'

const chance = new Chance(seed)

const secret_keys = [randomBytes(32)] as const
const count = 3000

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
  /** Ends the process without a warning, at some moment, and starts another one. */
  const killAfter = async (milliseconds: number) => {
    await sleep(milliseconds)
    expect((await service.kill()).signal).toBe('SIGKILL')
    service = await startService({ port, env })
  }
  return { db, client, organization_id, killAfter }
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
        recorded_at: now,
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
    })
    .toBe(0)

soak(
  'a service that is killed again and again while it erases ends with a whole erasure',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { db, client, organization_id, killAfter } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada', metadata: { a: 'b' } })
    await client.member_pins.create(member_id, {})
    await use(db, organization_id, member_id, 0)
    await isLinked(db)
    const { id } = await client.members.erase(member_id)
    let kills = 0
    while (kills < manyOr(3) && (await client.erasures.get(id)).state !== 'done') {
      await killAfter(chance.between(0, 800))
      kills++
    }
    await expect
      .poll(async () => (await client.erasures.get(id)).state, { timeout: 120_000 * slowness() })
      .toBe('done')
    expect(kills).toBeGreaterThan(0)
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
    const { db, client, organization_id, killAfter } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada' })
    await use(db, organization_id, member_id, 100)
    await isLinked(db)
    await db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [
      organization_id,
      { ...noPrivacy, access_days: 90 },
    ])
    const left = () => countRows(db, `events WHERE subject->>'member_id' = '${member_id}'`)
    for (let kills = 0; kills < manyOr(3) && (kills === 0 || (await left()) > 0); kills++)
      // Retention begins two seconds after the start.
      await killAfter(chance.between(2000, 3500))
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
