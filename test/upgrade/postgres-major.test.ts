import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, readConfig, startEmbedded, startServer, verifyAudit } from '@gatehouse-access/server'
import {
  Chance,
  findFreePort,
  findPostmaster,
  isSoak,
  launchService,
  makeDataFolder,
  makeEmptyFolder,
  manyOr,
  seed,
  within,
} from '@gatehouse-access/testkit'
import { describe, expect, test } from 'vitest'
import { settleSwap } from '../../packages/server/src/database/embedded/swap.ts'
import { clientFor, environmentOf, newClient, startQuickly } from '../backup/installation.ts'
import { oldBin, startOldCluster } from './old-cluster.ts'

const chance = new Chance(seed)

const key = Buffer.alloc(32, 5).toString('base64')
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const majorOf = async (path: string) => (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()

/** Fills the database of an earlier release, and returns whose it is. */
async function fill(data_dir: string) {
  await using cluster = await startOldCluster(data_dir)
  await writeFile(join(data_dir, 'secret-key'), `${key}\n`, { mode: 0o600 })
  const env = { ...environmentOf(data_dir), DATABASE_URL: cluster.url, GATEHOUSE_SECRET_KEY: key }
  await using server = await startServer(readConfig(env))
  const { client, ...ids } = await newClient(server)
  const member = await client.members.create({ name: 'Of the old cluster' })
  const pin = await client.member_pins.create(member.id, { pin: '4711' })
  const open = 'SELECT 1 FROM events e LEFT JOIN audit_links l ON l.event_id = e.id WHERE l.event_id IS NULL'
  await expect.poll(async () => (await server.context.db.query(open)).length).toBe(0)
  return { ids, member_id: member.id, pin_id: pin.id }
}

/** Lets the next start convert the database once more, if this one has. */
async function beginAgain(data_dir: string): Promise<void> {
  const [database, kept] = [join(data_dir, 'database'), join(data_dir, 'database-15')]
  if (!existsSync(kept) || !existsSync(database)) return
  await expect.poll(() => findPostmaster(data_dir), { timeout: 30_000 }).toBeUndefined()
  await rm(database, { recursive: true, maxRetries: 10, retryDelay: 100 })
  await rename(kept, database)
}

describe.runIf(isSoak && existsSync(oldBin))('a database of an earlier major version of PostgreSQL', () => {
  test(
    'is converted at the start, however often that is killed, and the old one is kept',
    within(120),
    async () => {
      await using data = await makeEmptyFolder()
      const { ids, member_id, pin_id } = await fill(data.path)
      const env = environmentOf(data.path)
      for (let round = 0; round < manyOr(0); round++) {
        const service = launchService({ port: await findFreePort(), env })
        await sleep(chance.between(300, 4300))
        await service.kill()
        expect(['database', 'database.next'].some(name => existsSync(join(data.path, name)))).toBe(true)
        await beginAgain(data.path)
      }
      await using server = await startQuickly(env)
      expect(await majorOf(join(data.path, 'database'))).not.toBe('15')
      expect(await majorOf(join(data.path, 'database-15'))).toBe('15')
      const { client } = await clientFor(server, ids)
      expect((await client.members.get(member_id)).name).toBe('Of the old cluster')
      expect((await client.member_pins.reveal(member_id, pin_id)).pin).toBe('4711')
      const late = await client.members.create({ name: 'Of the new cluster' })
      const { db, config } = server.context
      const open = `SELECT 1 FROM audit_links l JOIN events e ON e.id = l.event_id WHERE e.object->>'member_id' = $1`
      await expect.poll(async () => (await db.query(open, [late.id])).length).toBe(1)
      expect((await verifyAudit(db, { secret_keys: config.secret_keys, anchors: [] })).breaks).toEqual([])
    },
  )
})

test('without programs that read it, the start is refused with what to do, and nothing is changed', async () => {
  await using data = await makeEmptyFolder()
  const database = join(data.path, 'database')
  await mkdir(database, { mode: 0o700 })
  const start = (major: string, more: Record<string, string> = {}) =>
    writeFile(join(database, 'PG_VERSION'), `${major}\n`).then(() =>
      startServer(readConfig({ ...environmentOf(data.path), GATEHOUSE_SECRET_KEY: key, ...more })),
    )
  await expect(start('9')).rejects.toThrow(
    /was made by PostgreSQL 9, and this version brings \d+: set GATEHOUSE_OLD_POSTGRES .* gatehouse backup now --kind logical, .* gatehouse restore --backup ID/,
  )
  await expect(start('99')).rejects.toThrow(/start the version of Gatehouse that brings 99/)
  await expect(start('9', { GATEHOUSE_OLD_POSTGRES: data.path })).rejects.toThrow(
    /which has no PostgreSQL that can be run, but the database was made by PostgreSQL 9/,
  )
  expect(await readdir(database)).toEqual(['PG_VERSION'])
})

test('a swap that was killed is ended: never is there an empty database in place of the old one', async () => {
  await using data = await makeDataFolder()
  const [database, next] = [join(data.path, 'database'), join(data.path, 'database.next')]
  await rename(database, next)
  {
    await using made = await startEmbedded({ data_dir: data.path, log: quiet, durable: false })
    await using db = connect(made.connection, 1)
    expect(await db.query('SELECT 1 FROM schema_migrations LIMIT 1')).toHaveLength(1)
  }
  await mkdir(next)
  await settleSwap(data.path)
  expect([existsSync(database), existsSync(next)]).toEqual([true, false])
})
