import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../packages/sdk/src/index.ts'
import { formatCount, judge, printTable } from '../figures.ts'
import { startService } from '../service.ts'
import { fillMembers } from '../size/fill-members.ts'
import { createTenant } from '../tenant.ts'
import { endedJob } from './ended-job.ts'
import { watch } from './watch.ts'

/** Exports all members of a large organization, and downloads the file. */
export async function measureExports(members: number): Promise<void> {
  await using service = await startService()
  const tenant = await createTenant(service.db, 'Large')
  await fillMembers(service.db, tenant.organization_id, members)
  const client = createClient({ base_url: `${service.url}/v2`, token: tenant.token })
  // The first export loads code and plans, whatever its size.
  await exportMembers(client, { 'metadata.sourceID': 'R-1' })
  await sleep(5000)
  const begun = performance.now()
  let lines = 0
  const seen = await watch(
    service,
    exportMembers(client).then(count => {
      lines = count
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  // The head line.
  if (lines !== members + 1) throw new Error(`the file has ${lines} lines`)
  printTable(
    `Export of ${formatCount(members)} members as CSV, until the file is downloaded`,
    ['', 'value', 'bound', 'holds'],
    [
      ['rows a second', ...judge(members / seconds, 15_000, 'at least', 0)],
      ['more memory, in MB', ...judge(seen.memory, 30, 'at most', 0)],
    ],
  )
}

/** Returns the lines of the file. */
async function exportMembers(
  client: ReturnType<typeof createClient>,
  filter: Record<string, string> = {},
): Promise<number> {
  const { id } = await client.exports.create({ kind: 'members', format: 'csv', filter })
  const { files } = await endedJob(client, id)
  const file = await client.jobs.file(id, files[0]?.name ?? '')
  let lines = 0
  for await (const chunk of file.stream()) for (const byte of chunk) if (byte === 10) lines++
  return lines
}
