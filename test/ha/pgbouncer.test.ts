import { randomBytes } from 'node:crypto'
import { createClient } from '@gatehouse-access/sdk'
import { connect, readConfig, startServer } from '@gatehouse-access/server'
import { cloneDatabase, openAccess, within } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { drive, settleAccount } from '../faults/acknowledged.ts'
import { type Bouncer, openBouncer, pgbouncer } from './pgbouncer.ts'

let owned: AsyncDisposableStack
let url: string

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  url = owned.use(await cloneDatabase(inject('databases'))).url
})
afterEach(() => owned.disposeAsync())

async function open(
  pool_mode: 'session' | 'transaction' | 'statement',
  default_pool_size = 3,
): Promise<Bouncer> {
  const { searchParams, port } = new URL(url)
  const host = searchParams.get('host') ?? '127.0.0.1'
  return owned.use(await openBouncer({ pool_mode, default_pool_size, host, port: Number(port || 5432) }))
}

async function start(more: Record<string, string>) {
  const config = readConfig({
    ...{ PORT: '0', GATEHOUSE_LOG_LEVEL: 'fatal', GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_POOL_SIZE: '10' },
    ...{ GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64'), GATEHOUSE_DATA_DIR: '/nonexistent' },
    ...more,
  })
  return owned.use(await startServer({ ...config, checkpoint_dirs: [] }, { jobs: false }))
}

const why = pgbouncer ? '' : ' (skipped: there is no pgbouncer)'

describe.runIf(pgbouncer)(`PgBouncer${why}`, within(120), () => {
  it('with pool_mode = transaction: nothing acknowledged is lost, and no answer goes astray', async () => {
    const bouncer = await open('transaction')
    await using admin = connect({ url }, 1)
    await admin.query('CREATE TABLE marks (id bigint PRIMARY KEY)')
    await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '250ms'`)
    const options = { waiting: 1500, acquire_timeout: 60_000 }
    const db = owned.use(connect({ url: bouncer.url(url), is_pooled: true }, 6, options))
    const reading = Array.from({ length: 300 }, (_, number) =>
      db.query<{ number: number }>('SELECT $1::integer AS number', [number]),
    )
    const pieces = await drive(db, { statements: 800, at_once: 150 })
    expect((await Promise.all(reading)).map(([row]) => row?.number)).toEqual(
      reading.map((_, number) => number),
    )
    const account = await settleAccount(admin, pieces)
    expect(account).toMatchObject({ lost: 0, unwanted: 0, torn: 0, unanswered: 0 })
    expect(account.acknowledged).toBeGreaterThan(250)
  })

  it.each(['session', 'transaction'] as const)('with pool_mode = %s carries two services', async mode => {
    const bouncer = await open(mode, mode === 'session' ? 40 : 3)
    const GATEHOUSE_SECRET_KEY = randomBytes(32).toString('base64')
    const ways = {
      DATABASE_URL: bouncer.url(url),
      GATEHOUSE_SECRET_KEY,
      ...(mode === 'transaction' && { DATABASE_DIRECT_URL: url }),
    }
    const servers = [await start(ways), await start(ways)] as const
    const { token } = await openAccess(servers[0].context.db)
    const [one, other] = servers.map(server => createClient({ base_url: `${server.url}/v2`, token }))
    const heard = servers[1].context.feed.woken()
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => one?.members.create({ name: `Ada ${index}` })),
    )
    await heard
    for (const member of made) expect((await other?.members.get(member?.id ?? ''))?.name).toBe(member?.name)
  })

  it('with pool_mode = transaction needs a direct way, and says so', async () => {
    const { url: pooled } = { url: (await open('transaction')).url(url) }
    await expect(start({ DATABASE_URL: pooled })).rejects.toThrow(
      /Set DATABASE_DIRECT_URL to the address of PostgreSQL/,
    )
    await expect(start({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled })).rejects.toThrow(
      /^DATABASE_DIRECT_URL leads through a pooler/,
    )
    const statements = (await open('statement')).url(url)
    await expect(start({ DATABASE_URL: statements, DATABASE_DIRECT_URL: url })).rejects.toThrow(
      /^DATABASE_URL leads through a pooler that gives each statement/,
    )
    const elsewhere = owned.use(await cloneDatabase(inject('databases'))).url
    await expect(start({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: elsewhere })).rejects.toThrow(
      /lead to different databases/,
    )
  })
})
