import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Pool } from '@gatehouse-access/server'
import { cloneDatabase, within } from '@gatehouse-access/testkit'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type Account, drive, type Store, settleAccount } from './acknowledged.ts'

/** `npm run soak -- <statements> overload` sets the number of statements. */
const statements = Number(process.env.GATEHOUSE_SEEDS ?? 4000)
const size = 4
/** Ten times the capacity of all pipelines of the pool. */
const at_once = 10 * size * 16
const statement_timeout = 250
let owned: AsyncDisposableStack
let url: string
let admin: Pool

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  url = owned.use(await cloneDatabase(inject('databases'))).url
  admin = owned.use(connect({ url }, 1))
  await admin.query('CREATE TABLE marks (id bigint PRIMARY KEY)')
})
afterEach(() => owned.disposeAsync())

describe('under ten times the load that a pool can carry', within(60), () => {
  it('everything acknowledged is there, nothing refused is, and no transaction is torn', async () => {
    const db = owned.use(
      connect({ url }, size, { statement_timeout, waiting: 1500, acquire_timeout: 60_000 }),
    )
    const account = await put(db)
    expect(account).toMatchObject({ lost: 0, unwanted: 0, torn: 0, unanswered: 0 })
    expect(account.acknowledged).toBeGreaterThan(statements / 4)
    expect(account.refused).toBeGreaterThan(0)
    expect(account.unknown).toBeGreaterThan(0)
  })

  // `GATEHOUSE_BARE=true npm run soak -- 4000 overload` shows how a driver behaves without our wrapper: if
  // BEGIN fills a connection's pipeline, it fails, the connection stays in the transaction, and later
  // statements are never committed.
  it.runIf(process.env.GATEHOUSE_BARE)('a bare driver loses what it acknowledged', async () => {
    const sql = openBare()
    await Promise.all([sql`SELECT pg_sleep(0.1)`, sql`SELECT pg_sleep(0.1)`])
    // The driver's pipelines hold a hundred statements each.
    const crowd = Array.from({ length: 400 }, (_, index) =>
      index % 101 === 0 ? sql.begin(inner => inner`SELECT 1`) : sql`SELECT 1`.execute(),
    )
    await succeedsWithin(2000, Promise.allSettled(crowd))
    const ids = Array.from({ length: 12 }, (_, index) => index)
    const told = await Promise.all(
      ids.map(id => succeedsWithin(2000, sql`INSERT INTO marks (id) VALUES (${id})`)),
    )
    const acknowledged = told.filter(isTold => isTold).length
    await sql.end({ timeout: 0 })
    const stored = (await admin.query('SELECT id FROM marks')).length
    process.stdout.write(`bare driver: ${acknowledged} acknowledged, ${stored} there\n`)
    expect(stored).toBeLessThan(acknowledged)
  })
})

async function put(store: Store): Promise<Account> {
  const end = new AbortController()
  const faults = makeFaults(end.signal)
  const pieces = await drive(store, { statements, at_once })
  end.abort()
  await faults
  const account = await settleAccount(admin, pieces)
  if (process.env.GATEHOUSE_SEEDS) process.stdout.write(`${JSON.stringify(account)}\n`)
  return account
}

/** Repeatedly cancels and kills other sessions' statements. */
async function makeFaults(signal: AbortSignal): Promise<void> {
  const others = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() 
    AND pid <> pg_backend_pid() AND query LIKE '%INTO marks%'`
  for (let turn = 0; !signal.aborted; turn++) {
    const end = turn % 4 === 0 ? 'pg_terminate_backend' : 'pg_cancel_backend'
    await admin.query(`SELECT ${end}(pid) FROM (${others} ORDER BY random() LIMIT 1) AS other`)
    await sleep(25)
  }
}

function openBare(): postgres.Sql {
  const { searchParams, href } = new URL(url)
  const host = searchParams.get('host') ?? '127.0.0.1'
  return postgres(href.split('?')[0] as string, { host, max: 2, onnotice: () => {} })
}

/** Returns whether the work succeeds within the given time. */
function succeedsWithin(milliseconds: number, work: PromiseLike<unknown>): Promise<boolean> {
  return Promise.race([
    Promise.resolve(work).then(
      () => true,
      () => false,
    ),
    sleep(milliseconds, false),
  ])
}
