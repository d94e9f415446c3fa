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

/** Compares members created by requests of their own with those created a hundred at a time. */
export async function measureBulk(seconds: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Bench')
  using load = openLoad()
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  const rows = [
    await compare(load, '1 client, each on its own', 1, { operations }, service.url, headers, seconds),
    await compare(load, '1 client, atomic', 1, { operations, atomic: true }, service.url, headers, seconds),
    await compare(load, '4 clients, each on its own', 4, { operations }, service.url, headers, seconds),
  ]
  const head = ['', 'single/s', 'bulk/s', 'ratio', 'bound', 'holds']
  printTable(`Members created, median of ${rounds} rounds in turn`, head, rows)
}

async function compare(
  load: Load,
  name: string,
  connections: number,
  bulk: object,
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<string[]> {
  const measure = (path: string, body: object) => () =>
    load.measure({
      url,
      connections,
      duration: seconds / 2,
      requests: [{ method: 'POST', path, body: JSON.stringify(body), headers }],
    })
  const both = { single: measure('/v2/members', member), bulk: measure('/v2/bulk', bulk) }
  for (const warmUp of Object.values(both)) await warmUp()
  const taken = await measureInTurn(both, rounds)
  const created = taken.bulk.map(value => value * size)
  const ratio = judge(medianRatio(created, taken.single), 3, 'at least')
  return [name, formatCount(median(taken.single)), formatCount(median(created)), ...ratio]
}
