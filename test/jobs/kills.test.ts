import { parseCsv } from '@gatehouse-access/core'
import { type Client, createClient } from '@gatehouse-access/sdk'
import type { Pool } from '@gatehouse-access/server'
import { findFreePort, manyOr, openAccess, type Service, soak, startService } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { embeddedCluster } from '../faults/cluster.ts'
import { killAtWork } from '../faults/kill-at-work.ts'
import { ended } from '../imports/importing.ts'

/** Of the import. The other jobs end sooner, and are hit less often. */
const kills = Math.max(3, manyOr(3))
const killsOfEdit = Math.ceil(kills / 6)
const killsOfExport = Math.ceil(kills / 15)
/** One in 500 is refused. There are 20,000 with 30 kills. */
const faulty = Math.ceil((kills * 4) / 3)
const rows = 500 * faulty

/** Spec, Acceptance 2: an import, a change of many and an export, one after the other, and a service that is killed while it works at them. */
soak(
  `jobs survive ${kills} kills of the only process: every row once, and progress is the truth`,
  async () => {
    await using owned = new AsyncDisposableStack()
    const cluster = owned.use(await embeddedCluster())
    const options = { port: await findFreePort(), env: cluster.env }
    const db = owned.use(cluster.connect())
    let service: Service = await startService(options)
    owned.defer(async () => void (await service.terminate()))
    const { token, organization_id } = await openAccess(db)
    const client = createClient({ base_url: `${service.url}/v2`, token, retries: 10 })
    const group = await client.member_groups.create({ name: 'Guests' })

    async function kill() {
      await service.kill()
      service = await startService(options)
    }

    /** Kills the service while it works at a job, and waits until that has ended. */
    async function survive(id: string, wanted: number) {
      const progress = async () => {
        const { state, progress } = await client.jobs.get(id)
        return state === 'queued' || state === 'running' ? progress.done : undefined
      }
      const begun = performance.now()
      const hits = await killAtWork(wanted, { total: rows, progress, kill })
      console.log(`${hits} kills, ${await progress()} done after ${Math.round(performance.now() - begun)} ms`)
      return { hits, job: await ended(client, id, 200) }
    }

    const begun = await client.imports.create(makeFile())
    const { hits, job: imported } = await survive(begun.id, kills)
    expect(hits).toBe(kills)
    expect(imported).toMatchObject({
      state: 'partly_succeeded',
      progress: { total: rows, done: rows, succeeded: rows - faulty, failed: faulty, skipped: 0 },
      summary: { created: rows - faulty },
    })
    expect(await truthOf(db, organization_id, imported.id)).toEqual({
      rows,
      lines: rows,
      members: rows - faulty,
      keys: rows - faulty,
      pins: rows - faulty,
      created: rows - faulty,
    })

    const edit = { kind: 'members' as const, filter: {}, change: { add_member_group_ids: [group.id] } }
    const changing = await client.bulk.edit({ ...edit, expected_count: rows - faulty })
    const { hits: hitsOfEdit, job: changed } = await survive(changing.id, killsOfEdit)
    expect(hitsOfEdit).toBe(killsOfEdit)
    expect(changed).toMatchObject({ state: 'succeeded', summary: { updated: rows - faulty } })
    const [counted] = await db.query<{ associations: number; members: number }>(
      `SELECT count(*)::integer AS associations, count(DISTINCT member_id)::integer AS members
     FROM member_group_associations WHERE organization_id = $1 AND NOT is_deleted`,
      [organization_id],
    )
    expect(counted).toEqual({ associations: rows - faulty, members: rows - faulty })

    const writing = await client.exports.create({ kind: 'members', format: 'csv' })
    const { hits: hitsOfExport, job: written } = await survive(writing.id, killsOfExport)
    expect(hitsOfExport).toBe(killsOfExport)
    expect(written).toMatchObject({ state: 'succeeded', progress: { done: rows - faulty } })
    const lines = parseCsv(await textOf(client, written.id, 'members.csv')).slice(1)
    expect(new Set(lines.map(({ cells }) => cells[0])).size).toBe(rows - faulty)
    expect(lines).toHaveLength(rows - faulty)
  },
)

function makeFile(): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const isFaulty = index % 500 === 499
    return `K${index},Member ${index},${isFaulty ? 'wrong' : `m${index}@example.com`},${30_000_001 + index * 97}`
  })
  return ['external_id,name,email,pin', ...lines].join('\n')
}

/** What became of the rows of an import, as the tables tell. */
async function truthOf(db: Pool, organization_id: string, job_id: string) {
  const [row] = await db.query(
    `SELECT (SELECT count(*)::integer FROM job_rows WHERE job_id = $2) AS rows,
       (SELECT count(DISTINCT number)::integer FROM job_rows WHERE job_id = $2) AS lines,
       (SELECT count(*)::integer FROM members WHERE organization_id = $1) AS members,
       (SELECT count(DISTINCT external_id)::integer FROM members WHERE organization_id = $1) AS keys,
       (SELECT count(*)::integer FROM member_pins WHERE organization_id = $1) AS pins,
       (SELECT count(*)::integer FROM events WHERE organization_id = $1 AND verb = 'create' AND object->>'type' = 'member') AS created`,
    [organization_id, job_id],
  )
  return row
}

async function textOf(client: Client, id: string, name: string): Promise<string> {
  return (await client.jobs.file(id, name)).text()
}
