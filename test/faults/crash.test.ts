import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, findConnection, type Pool } from '@gatehouse-access/server'
import {
  findFreePort,
  findPostmaster,
  makeDataFolder,
  manyOr,
  openAccess,
  type Service,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, it } from 'vitest'
import { Ledger, Writer } from './writer.ts'

const writers = 8
const kills = manyOr(4)
const databaseKills = Math.ceil(kills / 5)
const kinds = {
  members: 'member',
  member_emails: 'member_email',
  member_pins: 'member_pin',
  member_magic_links: 'member_magic_link',
}

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
    place: randomInt(1_000_000),
  }))
  return victims.sort((one, other) => one.place - other.place).map(({ victim }) => victim)
}

/** Waits for some writes between two kills. Sometimes waits for none, so that kills also hit a recovery. */
async function waitForWrites(ledger: Ledger, service: Service): Promise<void> {
  const goal = ledger.count + (randomInt(4) === 0 ? 0 : randomInt(10, 60))
  const ended = service.exited.then(({ stdout, stderr }) => {
    if (ledger.count < goal) throw new Error(`the service ended by itself: ${stdout}${stderr}`)
  })
  ended.catch(() => undefined)
  while (ledger.count < goal) await Promise.race([sleep(5), ended])
  await sleep(randomInt(30))
}

async function killDatabase(dataDir: string): Promise<void> {
  await expect.poll(() => findPostmaster(dataDir), { timeout: 20_000 }).toBeDefined()
  process.kill(findPostmaster(dataDir) as number, 'SIGKILL')
}

/** Expects that every acknowledged write is present. */
async function expectAcknowledged(db: Pool, ledger: Ledger): Promise<void> {
  const rows = await db.query<{ id: string; name: string; is_deleted: boolean; metadata: object }>(
    'SELECT id, name, is_deleted, metadata FROM members',
  )
  const members = new Map(rows.map(row => [row.id, row]))
  const lost = [...ledger.created].filter(([name, id]) => members.get(id)?.name !== name)
  expect(lost).toEqual([])
  expect(ledger.edited.filter(({ id, key }) => !(key in (members.get(id)?.metadata ?? {})))).toEqual([])
  expect([...ledger.deleted].filter(id => !members.get(id)?.is_deleted)).toEqual([])
  const report = [
    `${ledger.created.size} created`,
    `${ledger.edited.length} edited`,
    `${ledger.deleted.size} deleted`,
    `${ledger.refused.size} refused`,
    ...(['unanswered', 'unavailable'] as const).map(
      fate =>
        `${ledger[fate].size} ${fate} (${rows.filter(({ name }) => ledger[fate].has(name)).length} there)`,
    ),
  ]
  process.stdout.write(`${report.join(', ')}\n`)
}

/** Expects that every row has its events, and every event its row. */
async function expectWhole(db: Pool): Promise<void> {
  for (const [table, kind] of Object.entries(kinds))
    for (const [verb, rows] of [
      ['create', `SELECT id, 1 AS due FROM ${table}`],
      ['delete', `SELECT id, is_deleted::integer AS due FROM ${table}`],
    ])
      expect({ table, verb, odd: await compareWithEvents(db, kind, verb as string, rows as string) }).toEqual(
        {
          table,
          verb,
          odd: [],
        },
      )
  const edits = 'SELECT id, (SELECT count(*) FROM jsonb_object_keys(metadata)) AS due FROM members'
  expect(await compareWithEvents(db, 'member', 'edit', edits)).toEqual([])
}

function compareWithEvents(db: Pool, kind: string, verb: string, rows: string): Promise<object[]> {
  return db.query(
    `SELECT id, due, told FROM (${rows}) stored FULL JOIN
       (SELECT object->>'${kind}_id' AS id, count(*) AS told FROM events WHERE verb = $1 AND object->>'type' = $2 GROUP BY 1) log
     USING (id) WHERE due IS NULL OR due <> coalesce(told, 0)`,
    [verb, kind],
  )
}

/**
 * Expects one object for a repeated request, none for an invalid request, and at most one for an unanswered
 * request.
 */
async function expectSettled(db: Pool, ledger: Ledger): Promise<void> {
  const rows = await db.query<{ name: string; count: number }>(
    'SELECT name, count(*)::integer AS count FROM members GROUP BY name',
  )
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  expect([...ledger.keyed].filter(name => counts.get(name) !== 1)).toEqual([])
  expect([...ledger.refused].filter(name => counts.has(name))).toEqual([])
  expect(rows.filter(({ count }) => count > 1)).toEqual([])
}
