import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type ImportWish } from '../../packages/sdk/src/index.ts'
import type { Pool } from '../../packages/server/src/index.ts'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { sendWhile } from '../steady-load.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { endedJob } from './ended-job.ts'
import { type Seen, watch } from './watch.ts'

const groups = ['Guests', 'Pool']
/** Requests a second of somebody else. */
const rate = 200

/** Imports members, each with two groups, a PIN and an address: alone, beside requests of others, unchanged, and many. */
export async function measureImports(count: number): Promise<void> {
  await using service = await startService()
  const others = await createTenant(service.db, 'Others')
  const [alone, crowded, large] = [
    await prepare(service, 'Alone'),
    await prepare(service, 'Crowded'),
    await prepare(service, 'Large'),
  ]
  const small = fileOf(10_000)
  const dry = await importInto(service, alone, small, { dry_run: true })
  const quiet = await importInto(service, alone, small)

  const headers = await others.headers()
  const ask = (work: Promise<unknown>) => sendWhile(rate, [{ url: `${service.url}/v2/sites`, headers }], work)
  // Watched too: that costs something, and the baseline has to bear it as well. The first one warms up.
  const rest = () => watch(service, sleep(20_000))
  await ask(rest())
  const before = await ask(rest())
  const crowding = importInto(service, crowded, small)
  const during = await ask(crowding)
  const beside = await crowding
  const after = await ask(rest())

  const all = fileOf(count)
  const many = await importInto(service, large, all)
  const events = await countEvents(service.db, large)
  const again = await importInto(service, large, all)
  const added = (await countEvents(service.db, large)) - events

  const p95 = (took: readonly number[]) => percentile(took, 0.95)
  const ratio = p95(during.took) / p95([...before.took, ...after.took])
  const most = (name: keyof Seen) => Math.max(...[quiet, beside, many, again].map(({ seen }) => seen[name]))
  printTable(
    `Imports of members with two groups, a PIN and an address`,
    ['', 'value', 'bound', 'holds'],
    [
      ['10,000, seconds', ...judge(quiet.seconds, 25, 'at most', 1)],
      ['trying 10,000, times the import', ...judge(dry.seconds / quiet.seconds, 0.6, 'at most')],
      [`10,000 beside ${rate} requests a second, seconds`, ...judge(beside.seconds, 60, 'at most', 1)],
      ['p95 of those requests, times without', ...judge(ratio, 2, 'at most')],
      ['requests that failed', ...judge(before.failures + during.failures + after.failures, 0, 'at most', 0)],
      [`${formatCount(count)}, seconds`, ...judge(many.seconds, 300, 'at most', 1)],
      [`${formatCount(count)} unchanged, seconds`, ...judge(again.seconds, 60, 'at most', 1)],
      ['events of what is unchanged', ...judge(added, 0, 'at most', 0)],
      ['feed lag, seconds', ...judge(most('feed_lag'), 1, 'at most')],
      ['longest transaction, ms', ...judge(most('longest_transaction'), 300, 'at most', 0)],
      ['more memory, in MB', ...judge(most('memory'), 60, 'at most', 0)],
    ],
  )
  console.log(`p95 without ${p95([...before.took, ...after.took]).toFixed(1)} ms`)
}

function fileOf(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, n) =>
      `R${n},Miller ${n},m${n}@example.com,"${groups.join('; ')}",2026-12-01 15:00,2027-12-05 11:00,${10_000_019 + n * 137}`,
  )
  return ['external_id,name,email,groups,from,until,pin', ...rows].join('\n')
}

type Client = ReturnType<typeof createClient>

interface House {
  readonly tenant: Tenant
  readonly client: Client
}

async function prepare({ url, db }: Service, name: string): Promise<House> {
  const tenant = await createTenant(db, name)
  const client = createClient({ base_url: `${url}/v2`, token: tenant.token })
  await client.sites.create({ name: 'Hotel', timezone: 'Europe/Berlin' })
  for (const group of groups) await client.member_groups.create({ name: group })
  return { tenant, client }
}

interface Imported {
  readonly seconds: number
  readonly seen: Seen
}

async function importInto(
  service: Service,
  house: House,
  file: string,
  wish: ImportWish = {},
): Promise<Imported> {
  const begun = performance.now()
  const { id } = await house.client.imports.create(file, wish)
  const seen = await watch(service, allDone(house, id))
  return { seconds: (performance.now() - begun) / 1000, seen }
}

async function allDone({ client }: House, id: string): Promise<void> {
  const { progress } = await endedJob(client, id)
  if (progress.failed > 0) throw new Error(`${progress.failed} rows failed`)
}

/** The events of the organization but for those of the jobs themselves. */
async function countEvents(db: Pool, { tenant }: House): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM events WHERE organization_id = $1 AND object->>'type' <> 'job'`,
    [tenant.organization_id],
  )
  return row?.count ?? 0
}
