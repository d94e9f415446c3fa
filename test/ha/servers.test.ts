import { connect, type Pool } from '@gatehouse-access/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Node, openPair, urlOf } from './pair.ts'

let owned: AsyncDisposableStack
let primary: Node
let standby: Node

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  const pair = owned.use(await openPair())
  primary = pair.primary
  standby = pair.standby
})
afterEach(() => owned.disposeAsync())

function open(url: string, options: { is_reader?: boolean } = {}, size = 4): Pool {
  return owned.use(connect({ url, ...options }, size, { silence: 1000, connect_timeout: 2000 }))
}

const portOf = async (db: Pool) =>
  (await db.query<{ port: number }>('SELECT inet_server_port() AS port').catch(() => []))[0]?.port

describe('a URL with several hosts', { timeout: 60_000 }, () => {
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

  it('leads away from a primary that was killed, as soon as another is there', async () => {
    const db = open(urlOf([primary, standby]))
    expect(await portOf(db)).toBe(primary.port)
    primary.kill()
    await expect
      .poll(() => db.query('SELECT 1').catch(error => error.code), { timeout: 20_000 })
      .toBeTypeOf('string')
    await standby.promote()
    await expect.poll(() => portOf(db), { timeout: 20_000 }).toBe(standby.port)
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
