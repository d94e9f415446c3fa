import { randomBytes } from 'node:crypto'
import { createClient } from '@gatehouse-access/sdk'
import { readConfig, startServer } from '@gatehouse-access/server'
import { openAccess, within } from '@gatehouse-access/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Node, openPair, urlOf } from './pair.ts'

let owned: AsyncDisposableStack
let primary: Node
let standby: Node

beforeEach(async () => {
  owned = new AsyncDisposableStack()
  const pair = owned.use(await openPair())
  primary = pair.primary
  standby = pair.standby
})
afterEach(() => owned.disposeAsync())

async function start(more: Record<string, string>) {
  const config = readConfig({
    ...{ DATABASE_URL: urlOf([primary]), PORT: '0', GATEHOUSE_LOG_LEVEL: 'fatal', GATEHOUSE_RATE_LIMIT: '0' },
    ...{ GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64'), GATEHOUSE_DATA_DIR: '/nonexistent' },
    ...more,
  })
  return owned.use(await startServer({ ...config, checkpoint_dirs: [] }, { jobs: false, delivery: false }))
}

describe('lists of events with DATABASE_READ_URL', within(60), () => {
  it('come from the standby, with everything acknowledged before, and from the primary where that is behind', async () => {
    const server = await start({ DATABASE_READ_URL: urlOf([standby]) })
    const { token } = await openAccess(server.context.db)
    const client = createClient({ base_url: `${server.url}/v2`, token })
    const counts = async () => {
      const text = await server.context.metrics.render()
      const count = (from: string) =>
        Number(new RegExp(`gatehouse_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
      return { standby: count('standby'), primary: count('primary') }
    }
    const newest = async () => {
      const answer = await fetch(`${server.url}/v2/events?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { data } = (await answer.json()) as { data: { object: { member_id?: string } }[] }
      return data[0]?.object.member_id
    }
    for (let round = 0; round < 20; round++) {
      const { id } = await client.members.create({ name: `Ada ${round}` })
      expect(await newest()).toBe(id)
    }
    expect((await counts()).standby).toBeGreaterThan(10)
    await standby.ask('SELECT pg_wal_replay_pause()')
    const { id } = await client.members.create({ name: 'Eve' })
    const before = await counts()
    expect(await newest()).toBe(id)
    expect((await counts()).standby).toBe(before.standby)
    const text = await (
      await fetch(`${server.url}/v2/events/export?format=ndjson`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).text()
    expect(text).toContain(id)
    standby.kill()
    const last = await client.members.create({ name: 'Bob' })
    expect(await newest()).toBe(last.id)
  })
})
