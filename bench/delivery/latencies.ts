import { setTimeout as sleep } from 'node:timers/promises'
import { judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import type { Service } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { percentile, writeSteadily } from './events.ts'
import { startReceivers } from './receiver-process.ts'
import { openStreams } from './streams.ts'
import { subscribe } from './subscribe.ts'

const seconds = 3

/** Measures the time from the commit of an event to its arrival, as the 95th percentile. */
export async function measureLatencies(service: Service): Promise<void> {
  const { webhook, healthy, crowded, refusing, streams } = await measureInTurn({
    webhook: () => webhookLatency(service, { receivers: 1 }, 200),
    healthy: () => webhookLatency(service, { receivers: 10 }, 50),
    crowded: () => webhookLatency(service, { receivers: 10, hanging: 9 }, 50),
    refusing: () => webhookLatency(service, { receivers: 1, closed: 9 }, 50),
    streams: () => streamLatency(service),
  })
  printTable(
    'From commit to receiver, p95 in milliseconds, median of 5',
    ['', 'figure', 'bound', 'holds'],
    [
      ['to a webhook, 200 events a second', ...judge(median(webhook), 100, 'at most', 0)],
      ['to each of ten webhooks, 50 events a second', median(healthy).toFixed(0), '', ''],
      ['to the tenth while nine hang', median(crowded).toFixed(0), '', ''],
      ['to the tenth while nine refuse connections', median(refusing).toFixed(0), '', ''],
      ['nine hanging, beside none hanging', ...judge(medianRatio(crowded, healthy), 1.5, 'at most')],
      ['to 1,000 streams, 200 events a second', ...judge(median(streams), 250, 'at most', 0)],
    ],
  )
}

interface Crowd {
  readonly receivers: number
  /** How many of the receivers hang. */
  readonly hanging?: number
  /** How many closed receivers there are in addition. */
  readonly closed?: number
}

async function webhookLatency(
  service: Service,
  { receivers, hanging = 0, closed = 0 }: Crowd,
  rate: number,
): Promise<number> {
  using sinks = await startReceivers(receivers)
  const tenant = await createTenant(service.db, 'Latency')
  await sinks.hang(hanging)
  await using _webhooks = await subscribe(service, tenant, [...sinks.urls, ...(await closedUrls(closed))])
  await writeSteadily(service.db, [tenant.organization_id], rate, 1)
  await sinks.takeAges()
  await writeSteadily(service.db, [tenant.organization_id], rate, seconds)
  await sleep(1000)
  return percentile(await sinks.takeAges(), 0.95)
}

/** The URLs of receivers that no longer exist. */
async function closedUrls(count: number): Promise<readonly string[]> {
  using gone = await startReceivers(count)
  return gone.urls
}

/** Twenty organizations with fifty streams each: every event goes to fifty streams. */
async function streamLatency(service: Service): Promise<number> {
  const tenants = await Promise.all(Array.from({ length: 20 }, () => createTenant(service.db, 'Stream')))
  const tokens = await Promise.all(
    tenants.map(async tenant => (await tenant.headers()).authorization as string),
  )
  using streams = await openStreams(service.url, tokens, 1000)
  const ids = tenants.map(({ organization_id }) => organization_id)
  await writeSteadily(service.db, ids, 200, seconds)
  await sleep(1000)
  return percentile(streams.ages, 0.95)
}
