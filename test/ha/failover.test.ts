import { randomBytes } from 'node:crypto'
import { connect, readConfig, type Server, startServer } from '@gatehouse-access/server'
import { openAccess, within } from '@gatehouse-access/testkit'
import { expect, it } from 'vitest'
import { expectAcknowledged, expectSettled, expectWhole } from '../faults/ledger-check.ts'
import { type Node, openPair, urlOf } from './pair.ts'
import { Load } from './recipe/load.ts'

/** `npm run soak -- ha` does this with Patroni, many times. */
it(
  'two services lose nothing when the primary is killed and the standby takes over',
  within(60),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { primary, standby } = owned.use(await openPair())
    await waitForStandby(primary)
    const url = urlOf([primary, standby])
    const GATEHOUSE_SECRET_KEY = randomBytes(32).toString('base64')
    const servers: Server[] = []
    for (let index = 0; index < 2; index++) servers.push(owned.use(await start(url, GATEHOUSE_SECRET_KEY)))
    const { token, organization_id } = await access(url)
    const loads = servers.map(server => new Load(server, token))
    await Promise.all(loads.map(load => load.waitForWrites(20)))
    primary.kill()
    await expect.poll(() => loads.every(({ refused }) => refused > 0), { timeout: 20_000 }).toBe(true)
    await standby.promote()
    await Promise.all(loads.map(load => load.waitForWrites(20)))
    await Promise.all(loads.map(load => load.end()))
    await using db = connect({ url }, 2)
    const events = await db.query<{ id: string }>(
      'SELECT id FROM events WHERE organization_id = $1 ORDER BY epoch, transaction_id, sequence',
      [organization_id],
    )
    await Promise.all(loads.map(load => load.endStream(events.at(-1)?.id)))
    for (const { ledger, odd, streamed } of loads) {
      expect([...ledger.unexpected, ...odd]).toEqual([])
      await expectAcknowledged(db, ledger)
      await expectSettled(db, ledger)
      expect(streamed.map(({ id }) => id)).toEqual(events.map(({ id }) => id))
    }
    await expectWhole(db)
  },
)

/** From now on, commits wait for the standby. */
async function waitForStandby(primary: Node): Promise<void> {
  await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
  await primary.ask('SELECT pg_reload_conf()')
  const states = () => primary.ask('SELECT sync_state FROM pg_stat_replication')
  await expect.poll(states, { timeout: 20_000 }).toEqual([{ sync_state: 'sync' }])
}

async function start(DATABASE_URL: string, GATEHOUSE_SECRET_KEY: string): Promise<Server> {
  const config = readConfig({
    ...{ DATABASE_URL, GATEHOUSE_SECRET_KEY, PORT: '0', GATEHOUSE_LOG_LEVEL: 'fatal' },
    ...{ GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_DATA_DIR: '/nonexistent' },
  })
  return startServer({ ...config, checkpoint_dirs: [], turn_wait: 120_000 })
}

async function access(url: string) {
  await using db = connect({ url }, 1)
  return await openAccess(db)
}
