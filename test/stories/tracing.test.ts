import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { receiver, type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { building } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}
interface SpanData {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly status: { readonly code: number }
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** An OpenTelemetry collector that keeps what it is sent. */
async function openCollector() {
  const [spans, metrics, resources]: [SpanData[], string[], unknown[]] = [[], [], []]
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(await text(request))
    for (const { resource, scopeSpans } of sent.resourceSpans ?? []) {
      resources.push(resource)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    for (const { scopeMetrics } of sent.resourceMetrics ?? [])
      for (const scope of scopeMetrics) for (const { name } of scope.metrics) metrics.push(name)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    resources,
    close: () => server.close(),
  }
}

const lines: string[] = []
let collector: Awaited<ReturnType<typeof openCollector>>
let w: World

beforeAll(async () => {
  collector = await openCollector()
  const log = { write: (line: string) => void lines.push(line) }
  w = await world({ otlp_endpoint: collector.url, delivery: true, log, log_level: 'info' })
})
afterAll(() => collector.close())

const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

test('requests, statements, deliveries and messages of devices become spans, metrics follow, the log names the trace', async () => {
  const tenant = await w.tenant()
  await using sink = await receiver()
  await tenant.client.webhooks.create({ url: sink.url, filter: [{ object_type: 'member' }] })
  const answer = await fetch(`${w.url}/v2/members`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'once',
      traceparent: `00-${caller.trace}-${caller.span}-01`,
    },
    body: '{"name":"Ada Secret"}',
  })
  expect(answer.status).toBe(200)
  const [delivered] = await sink.waitFor(1)
  const place = await building(w, tenant)
  const device = await ScriptedDevice.connect(place.credentials)
  await device.close()
  await w.server.context.db.query('SELECT 1 AS not_traced')
  w.server.context.log.info('outside')
  await fetch(`${w.url}/v2/members`, { headers: { traceparent: 'nonsense' } })
  // The end sends what is left.
  await w[Symbol.asyncDispose]()

  const spans = collector.spans
  const request = spans.find(({ name }) => name === 'POST /v2/members')
  expect(request).toMatchObject({ traceId: caller.trace, parentSpanId: caller.span })
  expect(attributesOf(request)).toMatchObject({
    'http.route': '/v2/members',
    'http.response.status_code': 200,
    'gatehouse.request_id': answer.headers.get('x-request-id'),
    'gatehouse.organization_id': tenant.organization_id,
  })
  const below = spans.filter(({ traceId, spanId }) => traceId === caller.trace && spanId !== request?.spanId)
  expect(below.map(({ name }) => name)).toContain('transaction')
  const transaction = below.find(({ name }) => name === 'transaction')
  const inner = below.filter(({ parentSpanId }) => parentSpanId === transaction?.spanId)
  expect(inner.map(span => attributesOf(span)['db.query.text']).join()).toContain('INSERT INTO members')

  const delivery = spans.find(({ name }) => name === 'webhook delivery')
  expect(delivered?.headers.traceparent).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`)
  expect(attributesOf(delivery)).toMatchObject({ 'http.response.status_code': 200 })
  const hello = spans.find(({ name }) => name === 'device hello')
  expect(attributesOf(hello)).toMatchObject({ 'gatehouse.device_id': place.device.id })
  expect(spans.some(({ parentSpanId }) => parentSpanId === hello?.spanId)).toBe(true)
  const refused = spans.find(({ name, parentSpanId }) => name === 'GET /v2/members' && !parentSpanId)
  expect(attributesOf(refused)['http.response.status_code']).toBe(401)

  expect(JSON.stringify(spans)).not.toMatch(/Ada Secret|not_traced|gha_/)
  expect(collector.metrics).toContain('gatehouse_requests_total')
  expect(collector.metrics).toContain('gatehouse_request_seconds')
  expect(JSON.stringify(collector.resources[0])).toContain('"gatehouse"')
  const outside = lines.find(line => line.includes('"outside"'))
  expect(outside).not.toContain('trace_id')
})

test('what a request logs names its trace', async () => {
  await using other = await world({
    otlp_endpoint: collector.url,
    log: { write: line => void lines.push(line) },
  })
  const { context } = other.server
  const traced = context.tracing?.begin({ name: 'work', kind: 'server', attributes: {}, request_id: 'req_1' })
  if (!traced) throw new Error('nothing is traced')
  const below = { name: 'below', kind: 'client', attributes: {} } as const
  await context.tracing?.inside(traced, () =>
    context.tracing?.trace(below, async () => context.log.error('inside')),
  )
  traced.end()
  const { trace_id, request_id } = JSON.parse(lines.find(line => line.includes('"inside"')) ?? '{}')
  expect(traced.traceparent).toContain(trace_id)
  expect(request_id).toBe('req_1')
})

test('a collector that does not answer delays neither requests nor the stop', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const other = await world({ otlp_endpoint: `http://127.0.0.1:${port}`, log_level: 'silent' })
  const { client } = await other.tenant()
  await client.members.create({ name: 'Ada' })
  const begun = performance.now()
  await other[Symbol.asyncDispose]()
  // The exporter itself would wait for ten seconds.
  expect(performance.now() - begun).toBeLessThan(9000)
  server.closeAllConnections()
  server.close()
})

function attributesOf(span: SpanData | undefined): Record<string, string | number | undefined> {
  const values = span?.attributes ?? []
  return Object.fromEntries(values.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}
