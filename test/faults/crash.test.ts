import { setTimeout as sleep } from 'node:timers/promises'
import { connect, findConnection, type Pool } from '@gatehouse-access/server'
import {
  Chance,
  findFreePort,
  findPostmaster,
  makeDataFolder,
  manyOr,
  openAccess,
  type Service,
  seed,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, it } from 'vitest'
import { expectAcknowledged, expectSettled, expectWhole } from './ledger-check.ts'
import { Ledger, Writer } from './writer.ts'

const chance = new Chance(seed)
const writers = 8
const kills = manyOr(2)
const databaseKills = Math.ceil(kills / 5)

it(
  'loses nothing it acknowledged, and tells of nothing that failed, however often it is killed',
  within(240),
  async () => {
    await using folder = await makeDataFolder()
    const options = { port: await findFreePort(), env: { GATEHOUSE_DATA_DIR: folder.path } }
    let service = await startService(options)
    await using owned = new AsyncDisposableStack()
    owned.defer(async () => void (await service.terminate()))
    const ledger = new Ledger()
    const { token } = await openAccessOnce(folder.path)
    const end = new AbortController()
    const writing = Promise.all(
      Array.from({ length: writers }, () => new Writer(service.url, token, ledger).run(end.signal)),
    )
    for (const victim of shuffled()) {
      await waitForWrites(ledger, service)
      if (victim === 'database') await killDatabase(folder.path)
      else {
        await service.kill()
        service = await startService(options)
      }
    }
    await waitForWrites(ledger, service)
    end.abort()
    await writing
    await using db = connect(findConnection(folder.path), 2)
    // The last kill may have hit PostgreSQL, which may still be recovering.
    await expect.poll(() => isAnswering(db), { timeout: 60_000 }).toBe(true)
    expect(ledger.unexpected).toEqual([])
    await expectAcknowledged(db, ledger)
    await expectWhole(db)
    await expectSettled(db, ledger)
  },
)

function isAnswering(db: Pool): Promise<boolean> {
  return db.query('SELECT 1').then(
    () => true,
    () => false,
  )
}

async function openAccessOnce(dataDir: string) {
  await using db = connect(findConnection(dataDir), 1)
  return await openAccess(db)
}

function shuffled(): ('service' | 'database')[] {
  const victims = Array.from({ length: kills }, (_, index) => ({
    victim: index < databaseKills ? ('database' as const) : ('service' as const),
    place: chance.next(),
  }))
  return victims.sort((one, other) => one.place - other.place).map(({ victim }) => victim)
}

/** Waits for some writes between two kills. Sometimes waits for none, so that kills also hit a recovery. */
async function waitForWrites(ledger: Ledger, service: Service): Promise<void> {
  const goal = ledger.count + (chance.happens(0.25) ? 0 : chance.whole(10, 59))
  const ended = service.exited.then(({ stdout, stderr }) => {
    if (ledger.count < goal) throw new Error(`the service ended by itself: ${stdout}${stderr}`)
  })
  ended.catch(() => undefined)
  while (ledger.count < goal) await Promise.race([sleep(5), ended])
  await sleep(chance.whole(0, 29))
}

async function killDatabase(dataDir: string): Promise<void> {
  await expect.poll(() => findPostmaster(dataDir), { timeout: 20_000 }).toBeDefined()
  process.kill(findPostmaster(dataDir) as number, 'SIGKILL')
}
