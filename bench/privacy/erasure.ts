import { setTimeout as sleep } from 'node:timers/promises'
import { watch } from '../bulk/watch.ts'
import { percentile } from '../delivery/events.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { oneOfEach } from '../requests/main.ts'
import { seed } from '../requests/seed.ts'
import { startService } from '../service.ts'
import { type Asked, sendWhile } from '../steady-load.ts'
import { createTenant } from '../tenant.ts'
import { fillUses } from './fill-uses.ts'
import { waitUntilSealed } from './wait-until-sealed.ts'

/** Requests a second of somebody else. */
const rate = 50

/**
 * Erases a member who has used doors very often, while somebody else uses the API: reads one thing, pages, what is expanded, and
 * writes. The p95 of all is that of the slowest; so each kind is told apart. The quickest, whose answer is nearly empty, suffers most.
 */
export async function measureErasure(events: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Erasure')
  const other = await createTenant(service.db, 'Others')
  await seed(service.db, other.organization_id)
  const theirs = await other.headers()
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${service.url}/v2${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Answer
  }
  const { id: member_id } = await ask<{ id: string }>('POST', '/members', {})
  await fillUses(service, tenant.organization_id, member_id, events)
  await waitUntilSealed(service.db)
  await service.db.query('VACUUM ANALYZE audit_links')
  const asked: Asked[] = [
    { url: `${service.url}/v2/sites`, headers: theirs },
    ...oneOfEach(service.url, theirs),
  ]
  const use = (work: Promise<unknown>) => sendWhile(rate, asked, work)
  // Watched too: that costs something, and the baseline has to bear it as well.
  const rest = () => watch(service, sleep(20_000))
  await use(rest())
  const before = await use(rest())

  const begun = performance.now()
  const { id } = await ask<{ id: string }>('POST', '/erasures', { member_id })
  let counted = 0
  const erasing = watch(
    service,
    (async () => {
      for (let state = ''; state !== 'done'; await sleep(500)) {
        const erasure = await ask<{ state: string; counts: { events: number } }>('GET', `/erasures/${id}`)
        state = erasure.state
        counted = erasure.counts.events
      }
    })(),
  )
  const during = await use(erasing)
  const seconds = (performance.now() - begun) / 1000
  const seen = await erasing
  const after = await use(rest())
  if (counted < events) throw new Error(`only ${counted} events were erased`)

  const p95 = (...took: (readonly number[] | undefined)[]) =>
    percentile(
      took.flatMap(each => each ?? []),
      0.95,
    )
  const quiet = p95(before.took, after.took)
  printTable(
    `The erasure of a member with ${formatCount(events)} events, beside ${rate} requests a second`,
    ['', 'value', 'bound', 'holds'],
    [
      ['seconds', ...judge(seconds, 60, 'at most', 1)],
      ['p95 of requests, times without', ...judge(p95(during.took) / quiet, 1.3, 'at most')],
      ['requests that failed', ...judge(during.failures, 0, 'at most', 0)],
      ['longest transaction, ms', ...judge(seen.longest_transaction, 200, 'at most', 0)],
    ],
  )
  console.log(`p95 without ${quiet.toFixed(1)} ms`)
  const row = ({ method = 'GET', url }: Asked, index: number) => {
    const without = p95(before.each[index], after.each[index])
    const times = p95(during.each[index]) / without
    return [`${method} ${new URL(url).pathname}${new URL(url).search}`, without.toFixed(1), times.toFixed(2)]
  }
  printTable('p95 of each kind', ['', 'ms without', 'times without'], asked.map(row))
}
