import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { within } from '@gatehouse-access/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Node, openPair, urlOf } from './pair.ts'

const shared = new AsyncDisposableStack()
let owned: AsyncDisposableStack
let primary: Node
let standby: Node

beforeAll(async () => {
  const pair = shared.use(await openPair())
  primary = pair.primary
  standby = pair.standby
})
afterAll(() => shared.disposeAsync())
beforeEach(() => {
  owned = new AsyncDisposableStack()
})
afterEach(() => owned.disposeAsync())

function open(url: string, options: { is_reader?: boolean } = {}, size = 4): Pool {
  return owned.use(connect({ url, ...options }, size, { silence: 1000, connect_timeout: 2000 }))
}

const portOf = async (db: Pool) =>
  (await db.query<{ port: number }>('SELECT inet_server_port() AS port').catch(() => []))[0]?.port

describe('a database with a standby', within(60), () => {
  it('acknowledges no commit whose wait for the standby was canceled', async () => {
    const db = open(urlOf([primary]))
    await primary.ask('CREATE TABLE notes (text text)')
    await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`)
    await primary.ask('SELECT pg_reload_conf()')
    const waits = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
    const write = () => db.query('INSERT INTO notes VALUES ($1)', ['one'])
    const cancel = async (written: Promise<unknown>) => {
      const outcome = written.then(
        () => 'acknowledged',
        error => error.code,
      )
      await expect.poll(() => primary.ask(`SELECT 1 ${waits}`), { timeout: 20_000 }).toHaveLength(1)
      await primary.ask(`SELECT pg_cancel_backend(pid) ${waits}`)
      return outcome
    }
    expect(await cancel(write())).toBe('CONNECTION_CLOSED')
    expect(await cancel(db.transaction(inner => inner.query(`INSERT INTO notes VALUES ('two')`)))).toBe(
      'CONNECTION_CLOSED',
    )
    await primary.ask('ALTER SYSTEM RESET synchronous_standby_names')
    await primary.ask('SELECT pg_reload_conf()')
  })

  it('is left at once when it takes no more writes, also by reads', async () => {
    const db = open(urlOf([primary]), {}, 3)
    await Promise.all(Array.from({ length: 20 }, () => db.query('SELECT pg_sleep(0.02)')))
    await primary.ask('ALTER SYSTEM SET default_transaction_read_only = on')
    await primary.ask('SELECT pg_reload_conf()')
    await sleep(200)
    await db.query('SELECT 1').catch(() => undefined)
    await expect(db.query('SELECT 1')).rejects.toMatchObject({ code: 'READ_ONLY' })
    await primary.ask('ALTER SYSTEM RESET default_transaction_read_only')
    await primary.ask('SELECT pg_reload_conf()')
    await expect
      .poll(() => db.query('SELECT 1 AS one').catch(() => []), { timeout: 20_000 })
      .toEqual([{ one: 1 }])
  })
})

/** The last test promotes the standby, and kills it. */
describe('a URL with several hosts', within(60), () => {
  it('leads to the server that target_session_attrs asks for', async () => {
    const both = [standby, primary]
    const reader = { is_reader: true }
    expect(await portOf(open(urlOf(both)))).toBe(primary.port)
    for (const [attributes, port] of [
      ['any', standby.port],
      ['read-write', primary.port],
      ['primary', primary.port],
      ['read-only', standby.port],
      ['standby', standby.port],
      ['prefer-standby', standby.port],
    ] as const)
      expect([
        attributes,
        await portOf(open(urlOf(both, `&target_session_attrs=${attributes}`), reader)),
      ]).toEqual([attributes, port])
    expect(await portOf(open(urlOf([primary], '&target_session_attrs=prefer-standby'), reader))).toBe(
      primary.port,
    )
    await expect(open(urlOf([standby])).query('SELECT 1')).rejects.toMatchObject({ code: 'READ_ONLY' })
    await expect(
      open(urlOf([primary], '&target_session_attrs=standby'), reader).query('SELECT 1'),
    ).rejects.toMatchObject({
      code: 'NOT_STANDBY',
    })
    expect(() => open(urlOf(both, '&target_session_attrs=standby'))).toThrow(
      /Gatehouse writes, so it must be read-write/,
    )
  })

  it('leads away from a former primary that still answers, with what listens and what holds locks', async () => {
    const db = open(urlOf([primary, standby]))
    const heard: string[] = []
    await db.listen('news', payload => void heard.push(payload))
    await db.query(`SELECT pg_advisory_lock(7)`)
    const held = db.transaction(async inner => {
      await inner.query('SELECT 1')
      await new Promise(resolve => setTimeout(resolve, 20_000).unref())
    })
    const outcome = held.catch(error => error.code)
    expect(await portOf(db)).toBe(primary.port)
    await standby.promote()
    expect(await outcome).toBe('MOVED')
    await expect.poll(() => portOf(db), { timeout: 20_000 }).toBe(standby.port)
    const tell = async () => {
      await standby.ask(`SELECT pg_notify('news', 'new')`)
      return heard
    }
    await expect.poll(tell, { timeout: 20_000 }).toContain('new')
    // The former primary still takes writes, but the service never goes back to it.
    standby.kill()
    await expect
      .poll(() => db.query('SELECT 1').catch(error => error.message), { timeout: 20_000 })
      .toMatch(/was replaced by another primary/)
  })
})
