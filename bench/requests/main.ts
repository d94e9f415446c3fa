import { fork } from 'node:child_process'
import { once } from 'node:events'
import { formatCount, judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { type Load, openLoad, type Request } from '../load.ts'
import { type Service, startService } from '../service.ts'
import type { Asked } from '../steady-load.ts'
import { createTenant, type Tenant } from '../tenant.ts'
import { memberId, members, seed } from './seed.ts'

interface Case {
  readonly name: string
  readonly requests: readonly Request[]
  /** The minimum share of the bare route's responses per second. */
  readonly bound: number
}

const expand = 'emails,group_associations.member_group'
const body = JSON.stringify({
  name: 'Reservation R-1001',
  starts_at: '2026-12-01T14:00:00Z',
  ends_at: '2026-12-05T11:00:00Z',
  metadata: { source: 'bench', sourceID: 'R-1001' },
})

export const reads: readonly Case[] = [
  { name: 'GET one member', requests: oneOfMany(), bound: 0.75 },
  { name: 'GET a page of 20', requests: [{ path: '/members?limit=20' }], bound: 0.75 },
  { name: 'GET a page of 100', requests: [{ path: '/members?limit=100' }], bound: 0.75 },
  {
    name: 'GET a page of 20, expanded',
    requests: [{ path: `/members?limit=20&expand=${expand}` }],
    bound: 0.75,
  },
]

export const writes: readonly Case[] = [
  {
    name: 'POST a member',
    requests: [{ method: 'POST', path: '/members', body, headers: { 'content-type': 'application/json' } }],
    bound: 0.7,
  },
]

function oneOfMany(): Request[] {
  return Array.from({ length: 100 }, (_, index) => ({
    path: `/members/${memberId(index * (members / 100) + 1)}`,
  }))
}

/** One of each, as an API is used, for somebody whose members are seeded. */
export function oneOfEach(url: string, headers: Readonly<Record<string, string>>): Asked[] {
  return [...reads, ...writes].flatMap(({ requests }) =>
    requests.slice(0, 1).map(({ method = 'GET', path, body: sent, headers: more }) => ({
      url: `${url}/v2${path}`,
      headers: { ...headers, ...more },
      method,
      ...(sent !== undefined && { body: sent }),
    })),
  )
}

const connections = 32
// Many short rounds: other load slows whole seconds, and would distort one side of a long round.
const rounds = 21
/** The share of the given time that each side of a round gets. */
const part = 0.5

/** Compares the service with bare routes that send the same SQL, on the same database, in turn. */
export async function compareRequests(cases: readonly Case[], seconds: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  await seed(service.db, tenant.organization_id)
  using bare = startBare(service, tenant)
  using load = openLoad()
  const headers = await tenant.headers()
  const rows: string[][] = []
  for (const example of cases)
    rows.push(await compare(load, example, seconds, await bare.url, `${service.url}/v2`, headers))
  const head = ['', 'bare/s', 'Gatehouse/s', 'ratio', 'bound', 'holds']
  printTable(`${connections} connections, median of ${rounds} rounds in turn`, head, rows)
  printTable(
    'Afterwards',
    ['', 'MB', 'bound', 'holds'],
    [['memory of the service', ...judge(await service.memory(), 250, 'at most', 0)]],
  )
}

function startBare({ data_dir }: Service, { organization_id, oauth_application_id }: Tenant) {
  const child = fork(new URL('bare.ts', import.meta.url), [data_dir, organization_id, oauth_application_id])
  const url = once(child, 'message').then(([text]) => text as string)
  return { url, [Symbol.dispose]: () => child.disconnect() }
}

async function compare(
  load: Load,
  { name, requests, bound }: Case,
  seconds: number,
  bareUrl: string,
  ourUrl: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const measure = (url: string) => () =>
    load.measure({
      url,
      connections,
      duration: seconds * part,
      requests: requests.map(request => ({
        ...request,
        path: new URL(url + request.path).pathname + new URL(url + request.path).search,
        headers: { ...headers, ...request.headers },
      })),
    })
  const both = { bare: measure(bareUrl), ours: measure(ourUrl) }
  // A larger program takes longer to be compiled. Services run for days, so both are measured warm.
  for (let round = 0; round < 4; round++) for (const warmUp of Object.values(both)) await warmUp()
  const { bare, ours } = await measureInTurn(both, rounds)
  const ratio = judge(medianRatio(ours, bare), bound, 'at least')
  return [name, formatCount(median(bare)), formatCount(median(ours)), ...ratio]
}
