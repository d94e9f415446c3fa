import { setTimeout as sleep } from 'node:timers/promises'
import { signedHeaders, signingKey } from '../../packages/server/src/delivery/webhooks/sign.ts'
import { formatCount, judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { type Service, startService } from '../service.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { type Message, measureBare } from './bare.ts'
import { writeEvents } from './events.ts'
import { measureLatencies } from './latencies.ts'
import { type Receivers, startReceivers } from './receiver-process.ts'
import { subscribe } from './subscribe.ts'

const receivers = 32
const burst = 1000
const rounds = 9

/** Compares deliveries with bare POSTs, and measures the latency to webhooks and streams. */
export async function measureDelivery(backlog: number): Promise<void> {
  await using service = await startService()
  await measureThroughput(service, backlog)
  await measureLatencies(service)
}

async function measureThroughput(service: Service, backlog: number): Promise<void> {
  using sinks = await startReceivers(receivers)
  const tenant = await createTenant(service.db, 'Bench')
  await using _webhooks = await subscribe(service, tenant, sinks.urls)
  await drain(service, tenant, sinks, burst)
  const message = await sampleMessage(service)
  await measureBare(sinks.urls, burst * receivers, message)
  await sinks.takeAges()
  const memory: Sample[] = []
  const { bare, live, late } = await measureInTurn(
    {
      bare: () => measureBare(sinks.urls, burst * receivers, message),
      live: () => drain(service, tenant, sinks, burst),
      late: () => drain(service, tenant, sinks, Math.ceil(backlog / receivers), memory),
    },
    rounds,
  )
  printTable(
    `Deliveries to ${receivers} receivers, median of ${rounds} rounds in turn`,
    ['', 'a second', 'ratio', 'bound', 'holds'],
    [
      ['bare undici', formatCount(median(bare)), '', '', ''],
      ['Gatehouse, live', formatCount(median(live)), ...judge(medianRatio(live, bare), 0.6, 'at least')],
      [
        `Gatehouse, backlog of ${formatCount(backlog)}, beside live`,
        formatCount(median(late)),
        ...judge(medianRatio(late, live), 0.9, 'at least'),
      ],
    ],
  )
  printMemory(memory)
}

interface Sample {
  readonly deliveries: number
  readonly megabytes: number
}

/**
 * Returns deliveries per second, from the commit of the first event to the last arrival. All events are
 * written at once. Memory is sampled when half and when all of the deliveries have arrived.
 */
async function drain(
  service: Service,
  tenant: Tenant,
  sinks: Receivers,
  events: number,
  memory?: Sample[],
): Promise<number> {
  await sinks.takeAges()
  const total = events * receivers
  const begin = performance.now()
  const writing = writeEvents(service.db, tenant.organization_id, events)
  await waitFor(sinks, total / 2)
  await lookAt(service, memory, total / 2)
  await waitFor(sinks, total)
  const took = performance.now() - begin
  await writing
  await lookAt(service, memory, total / 2)
  return (total * 1000) / took
}

async function waitFor(sinks: Receivers, count: number): Promise<void> {
  while ((await sinks.received()) < count) await sleep(20)
}

async function lookAt(service: Service, memory: Sample[] | undefined, more: number): Promise<void> {
  const before = memory?.at(-1)?.deliveries ?? 0
  memory?.push({ deliveries: before + more, megabytes: await service.memory() })
}

/** The first tenth fills the caches. After that, memory must not grow. */
function printMemory(memory: readonly Sample[]): void {
  const early = memory[1]?.megabytes ?? Number.NaN
  const rows = memory.map(({ deliveries, megabytes }) => [formatCount(deliveries), megabytes.toFixed(0)])
  const late = memory.at(-1)?.megabytes ?? Number.NaN
  printTable('Resident memory', ['deliveries', 'MB'], rows)
  printTable(
    '',
    ['', 'ratio', 'bound', 'holds'],
    [['last beside second', ...judge(late / early, 1.2, 'at most')]],
  )
}

async function sampleMessage({ db }: Service): Promise<Message> {
  const [row] = await db.query<{ event_id: string; body: string }>(
    'SELECT event_id, body FROM webhook_bodies LIMIT 1',
  )
  const { event_id = '', body = '' } = row ?? {}
  const seconds = Math.floor(Date.now() / 1000)
  const headers = signedHeaders(signingKey('a secret of the bench'), event_id, seconds, Buffer.from(body))
  return { headers, body }
}
