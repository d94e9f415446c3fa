import { formatCount, judge, measureInTurn, median, medianRatio, printTable } from '../figures.ts'
import { type Load, openLoad } from '../load.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'

const rounds = 9
const size = 100

const member = {
  name: 'Reservation R-1001',
  starts_at: '2026-12-01T14:00:00Z',
  ends_at: '2026-12-05T11:00:00Z',
  metadata: { source: 'bench', sourceID: 'R-1001' },
}
const operation = { method: 'POST', path: '/members', body: member }
const operations = Array.from({ length: size }, () => operation)

/** Clients that send one request after the other. */
const crowds = [1, 8]

/** Compares members created by requests of their own with those created a hundred at a time. */
export async function measureBulk(seconds: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  using load = openLoad()
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  const rows: string[][] = []
  for (const connections of crowds)
    rows.push(...(await compare(load, `${service.url}/v2`, headers, connections, seconds)))
  const head = ['', 'single/s', 'bulk/s', 'ratio', 'bound', 'holds']
  printTable(`Members created, median of ${rounds} rounds in turn`, head, rows)
}

async function compare(
  load: Load,
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<string[][]> {
  const measure = (path: string, body: object) => () =>
    load.measure({
      url,
      connections,
      duration: seconds / 2,
      requests: [{ method: 'POST', path: `/v2${path}`, body: JSON.stringify(body), headers }],
    })
  const all = {
    single: measure('/members', member),
    each: measure('/bulk', { operations }),
    atomic: measure('/bulk', { operations, atomic: true }),
  }
  for (const warmUp of Object.values(all)) await warmUp()
  const { single, each, atomic } = await measureInTurn(all, rounds)
  return Object.entries({ each, atomic }).map(([name, taken]) => {
    const created = taken.map(value => value * size)
    return [
      `${connections} ${connections === 1 ? 'client' : 'clients'}, ${name === 'each' ? 'each on its own' : name}`,
      formatCount(median(single)),
      formatCount(median(created)),
      ...judge(medianRatio(created, single), 3, 'at least'),
    ]
  })
}
