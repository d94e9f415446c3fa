import { randomBytes } from 'node:crypto'
import { connect } from '@gatehouse-access/server'
import { administer, makeEmptyFolder, soak, withDatabase, within, world } from '@gatehouse-access/testkit'
import { afterAll, expect, inject, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { writeLedger } from '../../packages/server/src/recovery/ledger/write-ledger.ts'
import { CanaryWords } from '../privacy/canary-words.ts'
import { countDataFolder, countRows, dumpRows, sum } from '../privacy/count-words.ts'
import { workUntil } from '../privacy/erase.ts'
import { clientAt } from '../recovery/installation.ts'

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())

async function emptyDatabase(): Promise<string> {
  const { admin_url } = inject('databases')
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(admin_url, `CREATE DATABASE ${name}`)
  owned.defer(() => administer(admin_url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  return withDatabase(admin_url, name)
}

test(
  'all rows of any PostgreSQL are backed up in one snapshot, and restored into another',
  within(90),
  async () => {
    await using w = await world({ delivery: true })
    await using data = await makeEmptyFolder()
    await using folder = await makeEmptyFolder()
    const { client } = await w.tenant('Hotel')
    const member = await client.members.create({ name: 'Ada Love\\lace É', metadata: { note: '\\N\t\n\\.' } })
    await client.member_pins.create(member.id, { pin: '271828' })
    const { db, config } = w.server.context
    await expect.poll(async () => (await db.query('SELECT 1 FROM audit_links')).length).toBe(3)
    const secret = config.secret_keys[0].toString('base64')
    const env = {
      DATABASE_URL: w.database_url,
      GATEHOUSE_SECRET_KEY: secret,
      GATEHOUSE_DATA_DIR: data.path,
      GATEHOUSE_BACKUP_DIR: folder.path,
    }
    const refused = await gatehouse(['backup', 'now'], env)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('There is no recovery key')])
    const key = (await gatehouse(['backup', 'key'], env)).stdout.split('\n', 1)[0] ?? ''
    const wrong = await gatehouse(['backup', 'now', '--kind', 'physical'], env)
    expect(wrong.stderr).toContain('A physical backup is made of the embedded database only')
    const { id } = JSON.parse((await gatehouse(['backup', 'now', '--json'], env)).stdout)
    const drill = await gatehouse(['backup', 'verify', id, '--drill'], env)
    expect([drill.code, drill.stderr]).toEqual([0, ''])

    const url = await emptyDatabase()
    await using other = await makeEmptyFolder()
    const there = { ...env, DATABASE_URL: url, GATEHOUSE_DATA_DIR: other.path }
    const asked = await gatehouse(['restore', '--backup', id], there, key)
    expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('--without-ledger')])
    const restored = await gatehouse(['restore', '--backup', id, '--without-ledger'], there, key)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('Restored')])
    const second = await gatehouse(['backup', 'key'], there)
    expect(second.stderr).toContain('There is a recovery key already')
    await using copy = connect({ url }, 1)
    const names = 'SELECT id, name, metadata FROM members ORDER BY id'
    expect(await copy.query(names)).toEqual(await db.query(names))
    expect((await gatehouse(['audit', 'verify', '--anchor', other.path], there)).stdout).toContain(
      '3 events of 1 organizations',
    )
    const again = await gatehouse(['restore', '--backup', id, '--without-ledger'], there, key)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The database is not empty')])
    // As if it had been killed once the rows were there.
    await copy.query('UPDATE restores SET marked_at = NULL')
    const repeated = await gatehouse(['restore', '--backup', id, '--without-ledger'], there, key)
    expect([repeated.code, repeated.stdout]).toEqual([0, expect.stringContaining('Restored')])
    expect(await copy.query('SELECT backup_id, marked_at IS NOT NULL AS is_marked FROM restores')).toEqual([
      { backup_id: id, is_marked: true },
    ])
  },
)

soak('whoever was erased after a logical backup is not brought back by it', within(120), async () => {
  await using data = await makeEmptyFolder()
  await using ledger = await makeEmptyFolder()
  await using folder = await makeEmptyFolder()
  await using w = await world({ delivery: true, checkpoint_dirs: [ledger.path] })
  const tenant = await w.tenant('Hotel')
  const { client } = tenant
  const { made, word, email, metadata } = new CanaryWords()
  const { id } = await client.members.create({ name: word(), metadata: metadata() })
  await client.member_emails.create(id, { email: email(), metadata: metadata() })
  await client.members.edit(id, { name: word() })
  const { config } = w.server.context
  const env = {
    DATABASE_URL: w.database_url,
    GATEHOUSE_SECRET_KEY: config.secret_keys[0].toString('base64'),
    GATEHOUSE_DATA_DIR: data.path,
    GATEHOUSE_BACKUP_DIR: folder.path,
  }
  const key = (await gatehouse(['backup', 'key'], env)).stdout.split('\n', 1)[0] ?? ''
  const backup = JSON.parse((await gatehouse(['backup', 'now', '--json'], env)).stdout)
  const erasure = await client.members.erase(id)
  await workUntil(w, client, erasure.id, 'done')
  await writeLedger(w.server.context)

  const restore = async (...more: string[]) => {
    const url = await emptyDatabase()
    const other = owned.use(await makeEmptyFolder())
    const there = { ...env, DATABASE_URL: url, GATEHOUSE_DATA_DIR: other.path }
    const said = await gatehouse(['restore', '--backup', backup.id, ...more], there, key)
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('Restored')])
    return url
  }
  {
    await using without = connect({ url: await restore('--without-ledger') }, 1)
    expect(sum(countRows(await dumpRows(without), made))).toBeGreaterThan(made.length)
    expect(sum(await countDataFolder(without, made))).toBeGreaterThan(made.length)
  }
  const url = await restore('--ledger', ledger.path)
  await using again = await world({ database: { url, secret_keys: config.secret_keys } })
  const { db } = again.server.context
  expect(countRows(await dumpRows(db), made)).toEqual({})
  expect(await countDataFolder(db, made)).toEqual({})
  const found = await (await clientAt(again, tenant)).members.get(id)
  expect(found).toMatchObject({ name: null, is_deleted: true, erased_at: expect.any(String) })
})
