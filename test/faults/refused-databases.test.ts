import { randomBytes } from 'node:crypto'
import { connect, readConfig, StartError, startServer } from '@gatehouse-access/server'
import { administer, cloneDatabase, holdMembers, quickest, within, world } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { requireReach } from '../../packages/server/src/start/open-database.ts'
import { openNetwork } from './network.ts'
import { openPooler } from './pooler.ts'

let owned: AsyncDisposableStack
let url: string

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  url = owned.use(await cloneDatabase(inject('databases'))).url
})
afterEach(() => owned.disposeAsync())

function start(DATABASE_URL: string) {
  const config = readConfig({
    DATABASE_URL,
    PORT: '0',
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64'),
    GATEHOUSE_LOG_LEVEL: 'fatal',
  })
  return startServer(config, { jobs: false, delivery: false })
}

async function setReadOnly(database_url: string, value: 'on' | 'off'): Promise<void> {
  const { admin_url } = inject('databases')
  const name = new URL(database_url).pathname.slice(1)
  await administer(admin_url, `ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
}

describe('the start refuses in one sentence', within(60), () => {
  it('a pooler that gives each transaction another connection', async () => {
    const pooler = owned.use(await openPooler(url))
    await using db = connect({ url: pooler.url }, 1)
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await expect(start(pooler.url)).rejects.toThrow(
      /^DATABASE_URL leads through a pooler .*pool_mode = session/,
    )
    await expect(start(pooler.url)).rejects.toThrow(StartError)
  })

  it('a pooler that has too few connections', async () => {
    const network = owned.use(await openNetwork(url, 2))
    await expect(start(`${network.url}?sslmode=disable`)).rejects.toThrow(
      /^DATABASE_URL let (one connection|2 connections) in and kept the next one waiting: .* raise default_pool_size\.$/,
    )
  })

  it('a database that takes no writes', async () => {
    await setReadOnly(url, 'on')
    await expect(start(url)).rejects.toThrow(/^DATABASE_URL leads to a PostgreSQL that accepts no writes/)
  })

  it('a schema that is newer than the service', async () => {
    await using db = connect({ url }, 1)
    await db.query(`INSERT INTO schema_migrations (name, applied_at) VALUES ('999-rockets.sql', now())`)
    await expect(start(url)).rejects.toThrow(
      /^The database was migrated by a newer version of Gatehouse \(999-rockets\.sql is unknown to this one, [\d.]+\): start that version, or restore a backup/,
    )
  })
})

it('a database that is slow to answer is not one that gives the account no access', within(60), async () => {
  const network = owned.use(await openNetwork(url))
  network.delay(3500)
  const config = readConfig({
    DATABASE_URL: `${network.url}?sslmode=disable`,
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64'),
  })
  await requireReach(config, { name: 'gatehouse', uid: 0, gid: 0 })
  network.turnAway()
  await expect(requireReach(config, { name: 'gatehouse', uid: 0, gid: 0 })).rejects.toThrow(
    /^The user gatehouse, which the service runs as, cannot reach the database/,
  )
})

describe('a service whose database is demoted', within(60), () => {
  it('answers 503 at once and is not ready, until it can write again', async () => {
    const w = owned.use(await world({ log_level: 'silent' }))
    const { token } = await w.tenant()
    const call = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = method === 'POST' ? '{"name":"Ada"}' : undefined
      const { status, headers: got } = await fetch(w.url + path, { method, headers, ...(body && { body }) })
      return [status, got.get('retry-after')]
    }
    const calls = () =>
      Promise.all([call('GET', '/v2/members'), call('POST', '/v2/members'), call('GET', '/readyz')])
    await setReadOnly(w.database_url, 'on')
    await administer(
      inject('databases').admin_url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(w.database_url).pathname.slice(1)}'`,
    )
    await expect.poll(calls, { timeout: 20_000 }).toEqual(Array.from({ length: 3 }, () => [503, '1']))
    const askMany = async () => {
      const since = performance.now()
      const burst = await Promise.all(Array.from({ length: 100 }, () => call('POST', '/v2/members')))
      expect(new Set(burst.map(([status]) => status))).toEqual(new Set([503]))
      return performance.now() - since
    }
    expect(await quickest(5000, askMany)).toBeLessThan(5000)
    await setReadOnly(w.database_url, 'off')
    await expect
      .poll(async () => (await calls()).map(([status]) => status), { timeout: 20_000 })
      .toEqual([200, 200, 200])
  })
})

describe('a stop', within(60), () => {
  it('does not wait for ever for a request that gets no answer', async () => {
    const w = await world({ log_level: 'silent' })
    const { client, token } = await w.tenant()
    const { id } = await client.members.create({ name: 'Ada' })
    const db = connect({ url: w.database_url }, 2)
    const hold = await holdMembers(db)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = fetch(`${w.url}/v2/members/${id}`, { method: 'PATCH', headers, body: '{"name":"Eve"}' })
    const outcome = asked.then(
      ({ status }) => status,
      () => 'cut off',
    )
    await hold.waitedFor()
    await w.server[Symbol.asyncDispose]()
    expect(await outcome).toBe('cut off')
    await hold.release()
    await db[Symbol.asyncDispose]()
    await w[Symbol.asyncDispose]()
  })
})
