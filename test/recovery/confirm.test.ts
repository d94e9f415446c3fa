import {
  type Config,
  confirmRestore,
  connect,
  type Database,
  markRecovered,
  type Pool,
  reviewRestore,
  systemClock,
} from '@gatehouse-access/server'
import { cloneDatabase, type Tenant } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { gatehouse } from '../../packages/cli/test/gatehouse.ts'
import { type House, makeHouse, oldPin, uid } from './house.ts'
import { clientAt, Installation } from './installation.ts'

const owned = new AsyncDisposableStack()
let there: Installation
let tenant: Tenant
let house: House
let backup: string
let crowd: string[]
let ended: string
let between: string[]
let webhook: string
let target: string

/** After the backup, many members are deleted by mistake, one on purpose, one ended, one deleted and restored. */
beforeAll(async () => {
  there = owned.use(await Installation.open({ delivery: false }))
  const w = await there.start()
  tenant = await w.tenant()
  const { client } = tenant
  house = await makeHouse(client)
  crowd = await Promise.all(Array.from({ length: 12 }, (_, index) => house.addMember(`Guest ${index}`)))
  ended = await house.addMember('Ended')
  const hook = { url: 'https://hooks.example/', filter: [{ object_type: 'member' }] }
  webhook = (await client.webhooks.create(hook as never)).id
  const ntfy = { kind: 'ntfy', url: 'https://ntfy.example.com', topic: 'doors' } as const
  target = (await client.notification_targets.create(ntfy)).id
  await there.stop()
  backup = await there.copy()
  const later = await there.start()
  const after = await clientAt(later, tenant)
  const from = later.clock.now()
  for (const id of crowd) await after.members.delete(id)
  between = [from, later.clock.now()]
  later.clock.advance(300)
  await after.members.delete(house.mary)
  await after.member_pins.delete(house.paul, house.pin)
  await after.members.edit(ended, { ends_at: '2026-01-01T00:00:00Z' })
  await after.members.delete(house.paul)
  await after.members.edit(house.paul, { is_deleted: false })
  await after.member_groups.edit(house.group, { permissions: [] })
  await after.webhooks.delete(webhook)
  await after.notification_targets.edit(target, { topic: 'gates' })
  await there.stop()
})
afterAll(() => owned.disposeAsync())

async function setBack(): Promise<void> {
  there.setBack(backup)
  there.setBack(await there.copy())
}

test('the review says what came back, and that many were deleted at once', async () => {
  await setBack()
  await there.mark()
  const { stdout } = await gatehouse(['restore', 'review'], there.env)
  expect(stdout).toContain(
    '14 members, 1 PIN, 1 webhook, and 1 notification target were deleted or changed after the backup',
  )
  expect(stdout).toContain('12 members were deleted within a minute')
  expect(stdout).toMatch(/These were changed after the backup[^\n]*\n {2}mg_\w+ {2}group "Staff", changed/)
})

/** A database whose connection breaks at the given statement. */
function breakingAt(db: Pool, count: number): Pool {
  let left = count
  const wrap = (inner: Database): Database => ({
    query: ((...args: Parameters<Database['query']>) => {
      if (--left < 0) throw new Error('cut off')
      return inner.query(...args)
    }) as Database['query'],
    transaction: work => inner.transaction(deeper => work(wrap(deeper))),
    afterCommit: effect => inner.afterCommit(effect),
  })
  return { ...db, ...wrap(db) }
}

const secret_keys = () => [Buffer.from(there.env.GATEHOUSE_SECRET_KEY ?? '', 'base64')] as const

/** Repeats the work, cut off one statement later each time, until it succeeds. Returns how often it was cut. */
async function persist(db: Pool, work: (db: Pool) => Promise<unknown>, check: () => Promise<void>) {
  for (let count = 0; ; count++) {
    const isDone = await work(breakingAt(db, count)).then(
      () => true,
      error => {
        if (error.message !== 'cut off') throw error
        return false
      },
    )
    if (isDone) return count
    await check()
  }
}

async function outcome(db: Database) {
  const members = await db.query('SELECT id, is_deleted FROM members ORDER BY id')
  const pins = await db.query('SELECT id, is_deleted, is_claimed FROM member_pins ORDER BY id')
  const review = await reviewRestore(db)
  return { members, pins, revoked: review?.revoked }
}

test('cut off after any statement and repeated, marking and confirming end as if never interrupted', async () => {
  await setBack()
  await using whole = connect({ url: there.database_url }, 2)
  const said = { target: new Date(), backupId: 'bak_1', by: 'Ada', ledger: there.folder }
  const mark = (db: Pool) => markRecovered(db, { ...said, secret_keys: secret_keys() })
  await mark(whole)
  await using copy = await cloneDatabase({ ...inject('databases'), template: nameOf(backup) })
  await using db = connect({ url: copy.url }, 2)
  const cuts = await persist(db, mark, async () => {
    const [row] = await db.query<{ is_served: boolean }>(
      'SELECT marked_at IS NOT NULL AS is_served FROM restores',
    )
    const [mary] = await db.query<{ is_deleted: boolean }>('SELECT is_deleted FROM members WHERE id = $1', [
      house.mary,
    ])
    // Either the service refuses to start, or nothing was begun, or all is done.
    if (row?.is_served || !row) expect(mary?.is_deleted).toBe(row !== undefined)
  })
  expect(cuts).toBeGreaterThan(20)
  expect(await outcome(db)).toEqual(await outcome(whole))

  const config = { checkpoint_dirs: [], secret_keys: secret_keys() } as unknown as Config
  const confirm = (pool: Pool) =>
    confirmRestore({ db: pool, clock: systemClock, config }, { by: 'Ada', keep: [house.mary] })
  await confirm(whole)
  const isOpen = async () => expect(await reviewRestore(db)).toBeDefined()
  expect(await persist(db, confirm, isOpen)).toBeGreaterThan(10)
  expect(await outcome(db)).toEqual(await outcome(whole))
  const count = 'SELECT count(*)::integer AS count FROM events WHERE verb = $1'
  for (const verb of ['delete', 'edit'])
    expect(await db.query(count, [verb]), verb).toEqual(await whole.query(count, [verb]))
})

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

test('the service refuses to start on a restore that was interrupted', async () => {
  await setBack()
  await using db = connect({ url: there.database_url }, 1)
  await db.query(
    `INSERT INTO restores (target, backup_id, restored_by, began_at) VALUES (now(), 'bak_1', 'Ada', now())`,
  )
  await expect(there.start()).rejects.toThrow('was interrupted')
  await there.mark()
  const w = await there.start({ delivery: true })
  expect(w.server.context.recovery.is_on).toBe(true)
  const twice = () => there.mark().then(String, error => error.message)
  await expect.poll(twice).toContain('The service runs on this database')
  await there.stop()
})

test('what is kept is in force again, and the rest is deleted', async () => {
  await setBack()
  await there.mark()
  const wrong = await gatehouse(['restore', 'confirm', '--keep', house.paul], there.env)
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(`${house.paul} is not suspended`)])
  const backwards = ['--keep-deleted-between', ...between.toReversed()]
  expect((await gatehouse(['restore', 'confirm', ...backwards], there.env)).code).toBe(2)
  const w = await there.start()
  const args = ['--keep', house.mary, ended, '--keep-deleted-between', ...between, '--by', 'Ada']
  const { code, stdout } = await gatehouse(['restore', 'confirm', ...args], there.env)
  expect([code, stdout]).toEqual([0, expect.stringContaining('Kept 14, deleted 3.')])
  await expect.poll(() => w.server.context.recovery.is_on).toBe(false)
  const client = await clientAt(w, tenant)
  const { data: living } = await client.members.list({ limit: 100 })
  expect(living.map(({ id }) => id).sort()).toEqual([...crowd, ended, house.mary, house.paul].sort())
  const use = async (input: object) => (await client.devices.simulate(house.online, input)).events
  expect(await use({ card: { uid } })).toMatchObject([{ type: 'use', member_id: house.mary }])
  expect(await use({ keys: `${oldPin}#` })).toMatchObject([{ type: 'denial' }])
  await expect(client.webhooks.get(webhook)).resolves.toMatchObject({ is_deleted: true })
  await expect(client.notification_targets.get(target)).resolves.toMatchObject({ is_deleted: true })
  // The PIN is claimed no more, so it can be given again.
  await client.member_pins.create(house.mary, { pin: oldPin })
  await there.stop()
})
