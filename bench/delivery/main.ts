import { setTimeout as sleep } from 'node:timers/promises'
import { formatCount, judge, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { measureBare } from './bare.ts'
import { percentile, writeEvents, writeSteadily } from './events.ts'
import { type Receivers, startReceivers } from './receiver-process.ts'
import { openStreams } from './streams.ts'

const receivers = 32
const burst = 1000
const filter = [{ object_type: 'member' }]

/** Deliveries beside bare POSTs to the same receivers, and how long events take to webhooks and streams. */
export async function measureDelivery(backlog: number): Promise<void> {
  await using service = await startService()
  using sinks = await startReceivers(receivers)
  const tenant = await createTenant(service.db, 'Bench')
  await subscribe(service, tenant, sinks.urls)
  await drain(service, tenant, sinks, 200)
  const bare = await measureBare(sinks.urls, burst * receivers, await sampleBody(service))
  await sinks.takeAges()
  const live = await drain(service, tenant, sinks, burst)
  const before = await service.memory()
  const long = await drain(service, tenant, sinks, Math.ceil(backlog / receivers))
  const after = await service.memory()
  printTable(
    'Deliveries to 32 receivers',
    ['', 'a second', 'ratio', 'bound', 'holds'],
    [
      ['bare undici', formatCount(bare), '', '', ''],
      ['Gatehouse, live', formatCount(live), ...judge(live / bare, 0.6, 'at least')],
      [
        `Gatehouse, backlog of ${formatCount(backlog)}`,
        formatCount(long),
        ...judge(long / live, 0.9, 'at least'),
      ],
      ['memory after it, MB', after.toFixed(0), ...judge(after / before, 1.2, 'at most')],
    ],
  )
  await measureLatencies(service)
}

async function subscribe(service: Service, tenant: Tenant, urls: readonly string[]): Promise<void> {
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  for (const url of urls)
    await fetch(`${service.url}/v2/webhooks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url, filter }),
    })
}

/** Deliveries a second, from the commit of the first event to the last arrival. */
async function drain(service: Service, tenant: Tenant, sinks: Receivers, events: number): Promise<number> {
  const expected = (await sinks.received()) + events * receivers
  const begin = performance.now()
  await writeEvents(service.db, tenant.organization_id, events)
  while ((await sinks.received()) < expected) await sleep(20)
  return (events * receivers * 1000) / (performance.now() - begin)
}

async function sampleBody({ db }: Service): Promise<string> {
  const [row] = await db.query<{ body: string }>('SELECT body FROM webhook_deliveries LIMIT 1')
  return row?.body ?? ''
}

async function measureLatencies(service: Service): Promise<void> {
  const rows = [
    [
      'to a webhook, 200 events a second, p95',
      ...judge(await webhookLatency(service, 1, 0, 200), 100, 'at most', 0),
    ],
  ]
  const alone = await webhookLatency(service, 1, 0, 50)
  const crowded = await webhookLatency(service, 10, 9, 50)
  rows.push(['to one of ten webhooks, nine hanging, beside alone', ...judge(crowded / alone, 1.5, 'at most')])
  rows.push([
    'to 1,000 streams, 200 events a second, p95',
    ...judge(await streamLatency(service), 250, 'at most', 0),
  ])
  printTable('From commit to receiver, milliseconds', ['', 'figure', 'bound', 'holds'], rows)
}

async function webhookLatency(
  service: Service,
  count: number,
  hanging: number,
  rate: number,
): Promise<number> {
  using sinks = await startReceivers(count)
  const tenant = await createTenant(service.db, 'Latency')
  await sinks.hang(hanging)
  await subscribe(service, tenant, sinks.urls)
  await writeSteadily(service.db, [tenant.organization_id], rate, 1)
  await sinks.takeAges()
  await writeSteadily(service.db, [tenant.organization_id], rate, 10)
  await sleep(1000)
  return percentile(await sinks.takeAges(), 0.95)
}

/** Twenty organizations with fifty streams each: every event goes to fifty. */
async function streamLatency(service: Service): Promise<number> {
  const tenants = await Promise.all(Array.from({ length: 20 }, () => createTenant(service.db, 'Stream')))
  const tokens = await Promise.all(
    tenants.map(async tenant => (await tenant.headers()).authorization as string),
  )
  using streams = await openStreams(service.url, tokens, 1000)
  const ids = tenants.map(({ organization_id }) => organization_id)
  await writeSteadily(service.db, ids, 200, 10)
  await sleep(2000)
  return percentile(streams.ages, 0.95)
}
