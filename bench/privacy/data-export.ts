import { setTimeout as sleep } from 'node:timers/promises'
import { formatCount, judge, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { createTenant } from '../tenant.ts'
import { fillUses } from './fill-uses.ts'

/** Exports the data of a member who has used doors very often. */
export async function measureDataExport(events: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Export')
  const headers = { ...(await tenant.headers()), 'content-type': 'application/json' }
  const ask = async <Answer>(method: string, path: string): Promise<Answer> => {
    const body = method === 'POST' ? '{}' : null
    const answer = await fetch(`${service.url}/v2${path}`, { method, headers, body })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Answer
  }
  const { id } = await ask<{ id: string }>('POST', '/members')
  await fillUses(service, tenant.organization_id, id, events)
  await sleep(5000)
  const before = await service.memory()
  const begun = performance.now()
  const job = await ask<{ id: string }>('POST', `/members/${id}/data_export`)
  let most = before
  let state = 'queued'
  while (state === 'queued' || state === 'running') {
    await sleep(200)
    ;({ state } = await ask<{ state: string }>('GET', `/jobs/${job.id}`))
    most = Math.max(most, await service.memory())
  }
  if (state !== 'succeeded') throw new Error(`the export is ${state}`)
  const seconds = (performance.now() - begun) / 1000
  printTable(
    `The data of a member with ${formatCount(events)} events`,
    ['', 'value', 'bound', 'holds'],
    [
      ['seconds for 100,000 events', ...judge((seconds / events) * 100_000, 30, 'at most', 1)],
      ['more memory, in MB', ...judge(most - before, 30, 'at most', 0)],
    ],
  )
}
