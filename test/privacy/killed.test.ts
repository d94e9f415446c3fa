import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noPrivacy } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { createClient } from '@gatehouse-access/sdk'
import { connect, type Pool, systemClock, verifyAudit } from '@gatehouse-access/server'
import {
  Chance,
  cloneDatabase,
  findFreePort,
  manyOr,
  openAccess,
  receiver,
  type Service,
  seed,
  slowness,
  soak,
  startService,
  within,
} from '@gatehouse-access/testkit'
import { expect, inject } from 'vitest'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import { killAtWork } from '../faults/kill-at-work.ts'
import { ended } from '../imports/importing.ts'
import { CanaryWords } from './canary-words.ts'
import { countRows as countWords, dumpRows, placesOf } from './count-words.ts'

const secret_keys = [randomBytes(32)] as const
const kills = Math.max(3, manyOr(3))
/** Enough that the last kill hits the work, too. */
const count = 1000 * kills

/** A service in a process of its own, on a database that survives it. */
async function openHouse(owned: AsyncDisposableStack) {
  const { url } = owned.use(await cloneDatabase(inject('databases')))
  const db = owned.use(connect({ url }, 2))
  const env = {
    DATABASE_URL: url,
    GATEHOUSE_SECRET_KEY: secret_keys[0].toString('base64'),
    GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.0/8',
  }
  const port = await findFreePort()
  let service: Service = await startService({ port, env })
  owned.defer(async () => void (await service.terminate()))
  const { organization_id, token } = await openAccess(db)
  const client = createClient({ base_url: `${service.url}/v2`, token, retries: 5 })
  /** Ends the process without a warning, and starts another one. */
  const kill = async () => {
    expect((await service.kill()).signal).toBe('SIGKILL')
    service = await startService({ port, env })
  }
  return { db, client, organization_id, kill }
}

async function use(
  db: Pool,
  organization_id: string,
  member_id: string,
  days: number,
  times = count,
): Promise<void> {
  const now = systemClock.now()
  for (let done = 0; done < times; done += 500)
    await logEvents(
      db,
      Array.from({ length: Math.min(500, times - done) }, (_, index) => ({
        organization_id,
        subject: { member_id, access_method: 'pin' as const },
        verb: 'use' as const,
        object: { type: 'gadget_action' as const, gadget_id: 'gad_00000000000000000000' },
        created_at: addSeconds(now, -days * 86_400 - done - index),
        // Not all at the same instant, which no index could tell apart.
        recorded_at: systemClock.now(),
      })),
    )
}

async function countRows(db: Pool, condition: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${condition}`)
  return row?.count ?? 0
}

const isLinked = (db: Pool) =>
  expect
    .poll(async () => (await countRows(db, 'events')) - (await countRows(db, 'audit_links')), {
      timeout: 60_000 * slowness(),
      interval: 500,
    })
    .toBe(0)

soak(
  'a service that is killed again and again while it erases ends with a whole erasure',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { db, client, organization_id, kill } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada', metadata: { a: 'b' } })
    await client.member_pins.create(member_id, {})
    await use(db, organization_id, member_id, 0)
    await isLinked(db)
    const { id } = await client.members.erase(member_id)
    const progress = async () => {
      const { state, counts } = await client.erasures.get(id)
      return state === 'done' ? undefined : counts.events
    }
    const begun = performance.now()
    expect(await killAtWork(kills, { total: count, progress, kill })).toBe(kills)
    console.log(`${kills} kills, ${await progress()} done after ${Math.round(performance.now() - begun)} ms`)
    await expect
      .poll(async () => (await client.erasures.get(id)).state, { timeout: 120_000 * slowness() })
      .toBe('done')
    const { counts } = await client.erasures.get(id)
    // The member, its PIN and every use.
    expect(counts.events).toBe(count + 2)
    expect(await countRows(db, `audit_amendments WHERE act = '${id}'`)).toBe(count + 2)
    expect(await countRows(db, `events WHERE subject->>'member_id' = '${member_id}'`)).toBe(0)
    expect(await countRows(db, 'events WHERE is_unlinked')).toBe(count + 2)
    await expect
      .poll(() => verifyAudit(db, { secret_keys }), { timeout: 60_000 * slowness() })
      .toMatchObject({ breaks: [], unreceipted: 0, amended: count + 2 })
  },
)

soak(
  'a service that is killed again and again while events expire loses and doubles nothing',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const { db, client, organization_id, kill } = await openHouse(owned)
    const { id: member_id } = await client.members.create({ name: 'Ada' })
    await use(db, organization_id, member_id, 100)
    await isLinked(db)
    await db.query('UPDATE organizations SET privacy = $2 WHERE id = $1', [
      organization_id,
      { ...noPrivacy, access_days: 90 },
    ])
    // Retention runs at the start, and then every ten minutes.
    await kill()
    const left = () => countRows(db, `events WHERE subject->>'member_id' = '${member_id}'`)
    const progress = async () => {
      const rest = await left()
      return rest === 0 ? undefined : count - rest
    }
    const begun = performance.now()
    expect(await killAtWork(kills, { total: count, progress, kill })).toBe(kills)
    console.log(`${kills} kills, ${await progress()} done after ${Math.round(performance.now() - begun)} ms`)
    await expect.poll(left, { timeout: 120_000 * slowness() }).toBe(0)
    expect(await countRows(db, `audit_amendments WHERE act LIKE 'retention %'`)).toBe(count)
    const [day] = await db.query<{ amended: number }>(
      'SELECT sum(amended)::integer AS amended FROM retention_days',
    )
    expect(day?.amended).toBe(count)
    const report = await verifyAudit(db, { secret_keys })
    expect(report).toMatchObject({ breaks: [], amended: count })
  },
)

type House = Awaited<ReturnType<typeof openHouse>>

/** Events of these types go to a webhook. */
const sent = ['member', 'gadget_action']

/** A member with something in every place that an erasure looks at. */
async function makePerson({ db, client, organization_id }: House) {
  const { made, word, email, metadata } = new CanaryWords()
  const [external_id, address] = [word(), email()]
  const { id } = await client.grants.create({
    external_id,
    member: { name: word(), metadata: metadata() },
    member_group_ids: [],
    credentials: { emails: [address], pin: {}, magic_link: true },
  })
  const { card_id } = await client.member_cards.create(id, { uid: randomBytes(7).toString('hex') })
  await client.cards.edit(card_id, { name: word(), metadata: metadata() })
  await client.members.edit(id, { name: word() })
  const file = () => `external_id,name,email\n${external_id},${word()},${address}\n`
  for (const dry_run of [false, true])
    await ended(client, (await client.imports.create(file(), { dry_run })).id)
  await ended(client, (await client.members.data_export(id)).id)
  await use(db, organization_id, id, 0, 200)
  await isLinked(db)
  const untried = () =>
    countRows(
      db,
      `events e WHERE object->>'type' = ANY('{${sent}}') AND e::text LIKE '%${id}%'
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id AND d.attempts <> '[]')`,
    )
  await expect.poll(untried, { timeout: 60_000 * slowness(), interval: 100 }).toBe(0)
  return { id, words: made }
}

/** What can be seen of an erasure, and what of the person is left. */
async function resultOf({ db, client }: House, { id, words }: Awaited<ReturnType<typeof makePerson>>) {
  const { data } = await client.erasures.list({ member_id: id })
  const [erasure] = data
  const amendments = await db.query(
    'SELECT kind, was_altered, count(*)::integer AS count FROM audit_amendments WHERE act = $1 GROUP BY 1, 2',
    [erasure?.id],
  )
  const told = await client.events.list({ 'object.erasure_id': erasure?.id ?? '' })
  const dump = await dumpRows(db)
  return {
    count: data.length,
    state: erasure?.state,
    // The service itself removes what jobs have read, every ten seconds: how many files are left for an erasure is chance.
    counts: { ...erasure?.counts, files: null },
    files: (await countRows(db, 'job_files')) + (await countRows(db, 'job_inputs')),
    has_receipt: typeof erasure?.receipt_hash === 'string',
    amendments,
    told: told.data.map(({ verb, object }) => `${verb} ${object.changes?.[0]?.after}`).sort(),
    places: placesOf(dump, id),
    words: countWords(dump, words),
  }
}

const stages = ['rows', 'answers', 'events', 'deliveries', 'statistics', 'receipt', 'devices']

soak(
  'an erasure that is killed at any of its stages ends like one that nobody has disturbed',
  within(600),
  async () => {
    await using owned = new AsyncDisposableStack()
    const house = await openHouse(owned)
    const { db, client, kill } = house
    const { url } = owned.use(await receiver())
    const filter = sent.map(object_type => ({ object_type }))
    await client.webhooks.create({ url, filter, expand: ['object_member', 'subject_member'] })
    const isDone = async (id: string) => (await client.erasures.get(id)).state
    const patience = { timeout: 120_000 * slowness(), interval: 200 }
    const twin = await makePerson(house)
    const { id: first } = await client.members.erase(twin.id, { includes_cards: true })
    await expect.poll(() => isDone(first), patience).toBe('done')
    const expected = await resultOf(house, twin)
    expect(expected).toMatchObject({
      places: { members: 1, erasures: 1, events: 2 },
      words: {},
      files: 0,
      has_receipt: true,
    })
    expect(Object.entries(expected.counts).filter(([, count]) => count === 0)).toEqual([
      ['devices', 0],
      ['devices_done', 0],
    ])
    const chance = new Chance(seed)
    const hit: Record<string, number> = {}
    for (let index = 0; index < kills; index++) {
      const person = await makePerson(house)
      const { id } = await client.members.erase(person.id, { includes_cards: true })
      const stageOf = async () =>
        (await db.query<{ stage: string }>('SELECT stage FROM erasures WHERE id = $1', [id]))[0]?.stage ?? ''
      const wanted = index % stages.length
      while (stages.indexOf(await stageOf()) < wanted) await sleep(1)
      await sleep(chance.between(0, 5))
      const stage = await stageOf()
      await kill()
      hit[stage] = (hit[stage] ?? 0) + 1
      await expect.poll(() => isDone(id), patience).toBe('done')
      expect(await resultOf(house, person)).toEqual(expected)
    }
    console.log(`kills by stage: ${JSON.stringify(hit)}`)
    await expect
      .poll(() => verifyAudit(db, { secret_keys }), { timeout: 60_000 * slowness() })
      .toMatchObject({ breaks: [], unreceipted: 0 })
  },
)
