import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Node, openPair, urlOf } from './pair.ts'

let owned: AsyncDisposableStack
let primary: Node
let db: Pool

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  primary = owned.use(await openPair()).primary
  await primary.ask('CREATE TABLE notes (text text)')
  db = owned.use(connect({ url: urlOf([primary]) }, 3))
})
afterEach(() => owned.disposeAsync())

describe('a database with a standby', { timeout: 60_000 }, () => {
  it('acknowledges no commit whose wait for the standby was canceled', async () => {
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
  })

  it('is left at once when it takes no more writes, also by reads', async () => {
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
