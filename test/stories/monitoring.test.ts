import { readFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { text } from 'node:stream/consumers'
import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const proxy = '127.0.0.9'
let w: World
let open: World
beforeAll(async () => {
  w = await world({ trusted_proxies: [proxy], monitoring_networks: ['10.1.0.0/16', '2001:db8::/32'] })
  open = await world()
})
afterAll(() => Promise.all([w[Symbol.asyncDispose](), open[Symbol.asyncDispose]()]))

interface Call {
  /** The address of this machine that the call comes from. */
  readonly from?: string
  readonly headers?: Record<string, string>
}

function get(url: string, { from = '127.0.0.1', headers = {} }: Call = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    ask(url, { localAddress: from, headers, agent: false }, async answer =>
      resolve([answer.statusCode ?? 0, await text(answer)]),
    )
      .on('error', reject)
      .end()
  })
}

const forwarded = (address: string): Call => ({ from: proxy, headers: { 'x-forwarded-for': address } })

async function expectInside(base: string, call?: Call): Promise<void> {
  expect(await get(`${base}/metrics`, call)).toEqual([200, expect.stringContaining('gatehouse_')])
  expect(JSON.parse((await get(`${base}/readyz`, call))[1])).toHaveProperty('feed_lag_seconds')
}

async function expectOutside(base: string, call: Call): Promise<void> {
  const [status, body] = await get(`${base}/metrics`, call)
  const [unknown] = await get(`${base}/nothing-there`, call)
  expect([status, body]).toEqual([unknown, expect.not.stringContaining('gatehouse_')])
  expect(await get(`${base}/readyz`, call)).toEqual([200, '{"status":"ready"}'])
  expect(await get(`${base}/healthz`, call)).toEqual([200, '{"status":"ok"}'])
}

describe('metrics and the details of readiness', () => {
  test('are for this machine', () => expectInside(open.url))

  test('are for named networks, behind a trusted proxy too', async () => {
    await expectInside(w.url, forwarded('10.1.2.3'))
    await expectInside(w.url, forwarded('2001:db8::7'))
    await expectInside(w.url, forwarded('127.0.0.1'))
  })

  test.each(['10.2.0.1', '203.0.113.7', '2001:db9::1', '::ffff:203.0.113.7'])('are not for %s', address =>
    expectOutside(w.url, forwarded(address)),
  )

  test('are not for whoever comes through a proxy that nobody named', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via'])
      await expectOutside(open.url, { headers: { [name]: '127.0.0.1' } })
  })
})

test('the gauges say for how long alarms and messages are due', async () => {
  const { context } = open.server
  const { organization_id } = await open.tenant()
  const read = async () => {
    const [, shown] = await get(`${open.url}/metrics`)
    return ['alarm_timer', 'notification'].map(name =>
      Number(new RegExp(`^gatehouse_${name}_lag_seconds (\\S+)$`, 'm').exec(shown)?.[1]),
    )
  }
  const due = open.clock.now()
  expect(await read()).toEqual([0, 0])
  await context.db.query(
    `INSERT INTO alarm_timers (organization_id, kind, key, due_at, about) VALUES ($1, 'wake', 'alm_1', $2, '{}')`,
    [organization_id, due],
  )
  open.clock.advance(30)
  await context.db.query(
    `INSERT INTO alarm_tellings (organization_id, alarm_id, alarm_rule_id, due_at) VALUES ($1, 'alm_1', 'alr_1', $2)`,
    [organization_id, open.clock.now()],
  )
  open.clock.advance(10)
  const [timers = 0, messages = 0] = await read()
  expect([Math.round(timers), Math.round(messages)]).toEqual([40, 10])
  for (const table of ['alarm_timers', 'alarm_tellings']) await context.db.query(`DELETE FROM ${table}`)
})

describe('the dashboard and the alerts', () => {
  const read = (path: string) => readFile(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

  test.each(['grafana/gatehouse.json', 'prometheus/alerts.yml'])(
    '%s names only metrics that exist',
    async path => {
      const [, shown] = await get(`${open.url}/metrics`)
      const exported = new Set(Array.from(shown.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
      for (const name of await findConditional()) exported.add(name)
      const named = new Set((await read(path)).match(/\bgatehouse_\w+/g))
      const bare = [...named].map(name =>
        exported.has(name) ? name : name.replace(/_(bucket|count|sum)$/, ''),
      )
      expect(named.size).toBeGreaterThan(5)
      expect(bare.filter(name => !exported.has(name))).toEqual([])
    },
  )

  /** Returns the metrics that exist only with backups or a certificate. */
  async function findConditional(): Promise<string[]> {
    const sources = ['backup/watch.ts', 'certificates/certificates.ts'].map(path =>
      readFile(new URL(`../../packages/server/src/${path}`, import.meta.url), 'utf8'),
    )
    const texts = await Promise.all(sources)
    return texts.flatMap(text => Array.from(text.matchAll(/'(gatehouse_\w+)'/g), ([, name = '']) => name))
  }

  test('every alert says how bad it is and what is wrong, and the operators are told what to do', async () => {
    const alerts = (await read('prometheus/alerts.yml')).split(/^ {6}- alert: /m).slice(1)
    const manual = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    for (const alert of alerts) {
      expect(alert).toMatch(/^\w+\n {8}expr: .+/)
      expect(alert).toMatch(/severity: (critical|warning) }\n {8}annotations:\n {10}summary: '.+\.'/)
      expect(manual).toContain(alert.split('\n', 1)[0])
    }
    const { panels } = JSON.parse(await read('grafana/gatehouse.json'))
    for (const { title, targets } of panels) expect([title, targets.length > 0]).toEqual([title, true])
  })
})
