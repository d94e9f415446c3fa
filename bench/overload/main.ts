import { fork } from 'node:child_process'
import { once } from 'node:events'
import { formatCount, judge, printTable } from '../figures.ts'
import { memberId, members, seed } from '../requests/seed.ts'
import { type Service, startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import type { Flood, Outcome } from './flood.ts'

const body = JSON.stringify({ name: 'Reservation R-1001', metadata: { source: 'bench' } })
const page = { path: '/v2/members?limit=100&expand=emails,group_associations.member_group' }
/** Mostly single reads, some pages, some writes. */
const mixed = Array.from({ length: 40 }, (_, index) =>
  index % 10 === 9
    ? { method: 'POST', path: '/v2/members', body }
    : index % 10 === 4
      ? { path: '/v2/members?limit=20' }
      : { path: `/v2/members/${memberId(index * (members / 40) + 1)}` },
)
const goal = 900

/** Compares far more requests than can be served with a few, in the same run. */
export async function measureOverload(seconds: number): Promise<void> {
  await using service = await startService()
  const [tenant, neighbour] = [
    await createTenant(service.db, 'Bench'),
    await createTenant(service.db, 'Other'),
  ]
  await seed(service.db, tenant.organization_id)
  const headers = await tenant.headers()
  const flood = (a_second: number, requests: Flood['requests'], connections: number, sender = headers) =>
    send({ url: service.url, requests, headers: sender, a_second, seconds, connections })
  await flood(200, mixed, 50)
  const carried = await findCarried(rate => flood(rate, mixed, 1000))
  const rows = []
  for (const [name, rate] of [
    [`${goal} a second`, goal],
    ['what it carries', carried],
    ['2 times that', 2 * carried],
    ['10 times that', 10 * carried],
  ] as const)
    rows.push(describe(name, await flood(rate, mixed, 2000), seconds))
  const head = [
    'mixed requests',
    'sent/s',
    'accepted/s',
    'refused/s',
    'failed',
    'p50 ms',
    'p99 ms',
    'bound',
    'holds',
  ]
  printTable('More than can be served', head, rows)
  await measureNeighbour(service, neighbour.headers, flood)
}

type Send = (
  rate: number,
  requests: Flood['requests'],
  connections: number,
  headers?: Record<string, string>,
) => Promise<Outcome>

async function measureNeighbour(
  service: Service,
  headersOf: () => Promise<Record<string, string>>,
  flood: Send,
): Promise<void> {
  const headers = await headersOf()
  const reads = [{ path: '/v2/members?limit=20' }]
  const alone = await flood(20, reads, 10, headers)
  const before = await service.memory()
  const [beside] = await Promise.all([flood(20, reads, 10, headers), flood(100_000, [page], 500)])
  const [quiet, crowded] = [percentile(alone.accepted, 0.5), percentile(beside.accepted, 0.5)]
  printTable(
    "Another organization's reads while one has 500 connections with pages of 100, expanded",
    ['', 'p50 ms', 'p99 ms', 'refused', 'memory MB'],
    [
      [
        'alone',
        quiet.toFixed(1),
        percentile(alone.accepted, 0.99).toFixed(1),
        String(alone.refused),
        before.toFixed(0),
      ],
      [
        'beside it',
        crowded.toFixed(1),
        percentile(beside.accepted, 0.99).toFixed(1),
        String(beside.refused),
        (await service.memory()).toFixed(0),
      ],
    ],
  )
}

/** Returns the highest rate at which everything is served. Each attempt is half as much again as the last. */
async function findCarried(flood: (rate: number) => Promise<Outcome>): Promise<number> {
  for (let rate = 200; ; rate *= 1.5) {
    const { refused, failed, unsent, accepted } = await flood(rate)
    if (refused + failed + unsent > 0 || percentile(accepted, 0.99) > 1000) return Math.round(rate / 1.5)
  }
}

function describe(name: string, outcome: Outcome, seconds: number): string[] {
  const { sent, refused, failed, accepted } = outcome
  const a_second = [sent, accepted.length, refused].map(count => formatCount(count / seconds))
  const bound = name.startsWith(String(goal)) ? 250 : 1000
  return [
    name,
    ...a_second,
    String(failed),
    percentile(accepted, 0.5).toFixed(0),
    ...judge(percentile(accepted, 0.99), bound, 'at most', 0),
  ]
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

async function send(flood: Flood): Promise<Outcome> {
  const child = fork(new URL('flood.ts', import.meta.url))
  child.send(flood)
  const [outcome] = await once(child, 'message')
  child.disconnect()
  return outcome as Outcome
}
