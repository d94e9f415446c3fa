import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@gatehouse-access/server'
import {
  findFreePort,
  isSoak,
  makeEmptyFolder,
  manyOr,
  openAccess,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { describe, expect, it } from 'vitest'
import { expectAcknowledged, expectSettled, expectWhole } from '../../faults/ledger-check.ts'
import { Load } from './load.ts'
import type { Machine } from './machine.ts'
import { findMissing, followRecipe, type Recipe } from './recipe.ts'

/** `npm run soak -- ha` runs this; a seed is a primary that is killed. */
const kills = manyOr(0)
const missing = findMissing()
const why = missing.length > 0 ? ` (skipped: there is no ${missing.join(', ')})` : ' (npm run soak -- ha)'

/** What the service may use to reach the database. */
const ways: Record<string, (recipe: Recipe) => Record<string, string>> = {
  'all hosts in DATABASE_URL': ({ url, standbys }) => ({ DATABASE_URL: url, DATABASE_READ_URL: standbys }),
  'PgBouncer and HAProxy': ({ pooled, proxied, standbys }) => ({
    ...{ DATABASE_URL: pooled, DATABASE_DIRECT_URL: proxied, DATABASE_READ_URL: standbys },
  }),
}

describe.runIf(isSoak && missing.length === 0)(`a Patroni cluster under load${why}`, () => {
  it.each(Object.keys(ways))('loses nothing through %s', within(60), async way => {
    await using owned = new AsyncDisposableStack()
    const recipe = owned.use(await followRecipe())
    const env = await settingsFor(recipe, way, owned)
    const services = [await startOne(env), await startOne(env)]
    for (const service of services) owned.use(service)
    const { token, organization_id } = await openAccessOnce(recipe.url)
    const loads = services.map(service => new Load(service, token))
    const report: string[] = []
    for (const [index, fault] of faultsOf(recipe).entries()) {
      const line = await suffer(recipe, loads, fault)
      report.push(`${String(index + 1).padStart(2)}  ${line}`)
      process.stdout.write(`${way}: ${report.at(-1)}\n`)
    }
    await Promise.all(loads.map(load => load.end()))
    await settle(recipe, organization_id, loads)
  })
})

async function settingsFor(recipe: Recipe, way: string, owned: AsyncDisposableStack) {
  const { path } = owned.use(await makeEmptyFolder())
  return {
    ...ways[way]?.(recipe),
    ...{ GATEHOUSE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), GATEHOUSE_RUN_AS: 'root' },
    ...{ GATEHOUSE_DATA_DIR: path, GATEHOUSE_CHECKPOINT_DIR: path },
  }
}

async function startOne(env: Record<string, string>) {
  return startService({ port: await findFreePort(), env })
}

async function openAccessOnce(url: string) {
  await using db = connect({ url }, 1)
  return await openAccess(db)
}

interface Fault {
  readonly name: string
  begin(leader: Machine): Promise<void>
  /** Undoes it once the service works again. */
  end(leader: Machine): Promise<void>
}

function faultsOf(recipe: Recipe): Fault[] {
  const start = async (leader: Machine) => leader.start()
  const thaw = (leader: Machine) => leader.thaw()
  const none = async () => undefined
  const killMachine = {
    name: 'kill -9 of the machine',
    begin: (leader: Machine) => leader.kill(),
    end: start,
  }
  const killPostgres = {
    name: 'kill -9 of PostgreSQL',
    begin: (leader: Machine) => leader.killPostgres(),
    end: none,
  }
  return [
    ...Array.from({ length: kills }, (_, index) => (index % 2 === 0 ? killMachine : killPostgres)),
    { name: 'SIGSTOP of the machine, then SIGCONT', begin: leader => leader.freeze(), end: thaw },
    { name: 'SIGSTOP of Patroni alone', begin: leader => leader.freezePatroni(), end: thaw },
    {
      name: 'network cut',
      begin: async leader => leader.cable.cut(),
      end: async leader => leader.cable.mend(),
    },
    { name: 'switchover', begin: () => recipe.switchOver(), end: none },
  ]
}

/** Returns what happened as a line of the report. */
async function suffer(recipe: Recipe, loads: readonly Load[], fault: Fault): Promise<string> {
  await Promise.all(loads.map(load => load.waitForWrites(50)))
  const leader = await waitForLeader(recipe)
  for (const load of loads) load.takeLongest()
  const [acknowledged, refused] = [countAcknowledged(loads), countRefused(loads)]
  await fault.begin(leader)
  const next = await waitForOther(recipe, leader)
  await Promise.all(loads.map(load => load.waitForWrites(50)))
  const longest = loads.map(load => load.takeLongest())
  await fault.end(leader)
  return [
    fault.name.padEnd(38),
    `${leader.name} -> ${next}`,
    `longest without a write ${longest.map(seconds => seconds.toFixed(1)).join(' and ')} s`,
    `${countAcknowledged(loads) - acknowledged} writes acknowledged, ${countRefused(loads) - refused} reads refused`,
  ].join('  ')
}

/** A busy machine may lose its leader by itself at any time, and without a standby none could take over. */
async function waitForLeader(recipe: Recipe): Promise<Machine> {
  for (;;) {
    const leader = (await recipe.isSynchronous()) && (await recipe.leader())
    if (leader) return leader
    await sleep(200)
  }
}

async function waitForOther(recipe: Recipe, former: Machine): Promise<string> {
  for (;;) {
    const leader = await recipe.leader()
    if (leader && leader !== former) return leader.name
    await sleep(100)
  }
}

function countAcknowledged(loads: readonly Load[]): number {
  return loads.reduce((sum, { ledger }) => sum + ledger.count, 0)
}

function countRefused(loads: readonly Load[]): number {
  return loads.reduce((sum, { refused }) => sum + refused, 0)
}

/** Compares what clients were told with what is there. */
async function settle(recipe: Recipe, organization_id: string, loads: readonly Load[]): Promise<void> {
  await using db = connect({ url: recipe.url }, 2)
  const events = await db.query<{ id: string }>(
    'SELECT id FROM events WHERE organization_id = $1 ORDER BY epoch, transaction_id, sequence',
    [organization_id],
  )
  const ids = events.map(({ id }) => id)
  await Promise.all(loads.map(load => load.endStream(ids.at(-1))))
  for (const load of loads) {
    const { ledger, odd, streamed } = load
    expect(await load.readiness()).toEqual(expect.not.objectContaining({ audit_alarm: expect.anything() }))
    expect(ledger.unexpected).toEqual([])
    await expectAcknowledged(db, ledger)
    await expectSettled(db, ledger)
    expect([...new Set(odd)]).toEqual([])
    expect(streamed.length).toBe(ids.length)
    expect(streamed.map(({ id }) => id)).toEqual(ids)
  }
  await expectWhole(db)
  process.stdout.write(`${ids.length} events, each once and in order in ${loads.length} streams\n`)
}
