import { capabilityNames } from '@gatehouse-access/api'
import { receiver } from '@gatehouse-access/testkit'
import { expect } from 'vitest'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { StreamClient } from '../stream/stream-client.ts'
import { Copies } from './copies.ts'
import type { LargeTenant } from './large-tenant.ts'
import { ask, type Stage } from './stage.ts'

/** How much of each activity one tenant runs at once. */
export interface Counts {
  readonly events: number
  readonly streams: number
  readonly devices: number
  readonly webhooks: number
}

export type Activity = (on: Stage, large: LargeTenant, counts: Counts) => Promise<void>

const filter = ['member', 'member_group', 'schedule'].map(object_type => ({ object_type, verb: null }))
const expand = ['object_member.emails', 'object_member_group', 'object_schedule']

/** Writes events of the largest objects, as if they had been edited. Returns the id of the last event. */
async function happen({ db }: Stage, large: LargeTenant, count: number): Promise<string> {
  const { organization_id, member_id, member_group_id, schedule_id } = large
  const objects = [
    { type: 'member_group', member_group_id },
    { type: 'member', member_id },
    { type: 'schedule', schedule_id },
  ]
  const ids = new Copies(db).ids('evt', count)
  await db.query(
    `INSERT INTO events (id, organization_id, subject, verb, object, created_at, recorded_at, clock_adjusted)
     SELECT id, $1, '{}', 'edit', $3::jsonb->((number - 1)::int % 3), now(), now(), false FROM unnest($2::text[]) WITH ORDINALITY AS made(id, number) ORDER BY number`,
    [organization_id, ids, objects],
  )
  return ids.at(-1) as string
}

/** Activities that last longer than one request. */
export const activities: Readonly<Record<string, Activity>> = {
  async 'many streams that resume, with and without expands'(on, large, { events, streams }) {
    const url = `${on.url}/v2/events/stream`
    const first = new StreamClient(url, large.token)
    await first.subscribe()
    await expect.poll(() => first.cursor).toBeDefined()
    const after = first.cursor
    await happen(on, large, events)
    const clients = Array.from({ length: streams }, () => new StreamClient(url, large.token))
    for (const [index, client] of clients.entries())
      await client.subscribe({ after, ...(index % 2 === 0 && { expand }) })
    const last = await happen(on, large, 3)
    // Other events may follow: the service has some of its own to tell.
    const isBehind = (client: StreamClient) => client.events.every(({ id }) => id !== last)
    await expect.poll(() => clients.filter(isBehind).length, { timeout: 120_000 }).toBe(0)
    for (const client of [first, ...clients]) client.socket.terminate()
  },

  async 'exports of everything, with expands'(on, large, { events }) {
    await happen(on, large, events)
    const headers = { authorization: `Bearer ${large.token}` }
    const read = async (format: string) => {
      const url = `${on.url}/v2/events/export?format=${format}&expand=object_member_group`
      const answer = await fetch(url, { headers })
      expect(answer.status).toBe(200)
      expect((await answer.text()).split('\n').length).toBeGreaterThan(events)
    }
    await Promise.all([read('ndjson'), read('csv')])
  },

  async 'snapshots and changes of large slices to connected devices'(on, large, { devices }) {
    const make = async (path: string, body: object) => (await large.ask('POST', `/v2${path}`, body)).body
    const connect = async (_: unknown, index: number) => {
      const hardware_id = `hw_NEAR-${Date.now() % 1e6}${index}`
      const device = { name: 'Controller', site_id: large.site_id, product_id: 'controller', hardware_id }
      const { id } = await make('/devices', device)
      await make('/gadgets', { name: 'Door', device_id: id, actions: [{ id: 'open', name: 'Open' }] })
      const { secret } = await make(`/devices/${id}/credentials`, {})
      const capabilities = [...capabilityNames]
      return ScriptedDevice.connect({ url: on.url, hardware_id, secret: String(secret), capabilities })
    }
    const connected = await Promise.all(Array.from({ length: devices }, connect))
    for (const device of connected) await device.until(({ policy }) => policy !== undefined, 60_000)
    const before = connected.map(({ policy }) => policy?.version)
    const path = `/v2/member_groups/${large.member_group_id}`
    const permissions = large.rules.slice(0, 400 + (Date.now() % 100))
    expect((await ask(on.url + path, large.token, 'PATCH', { permissions })).status).toBe(200)
    for (const [index, device] of connected.entries())
      await device.until(({ policy }) => policy?.version !== before[index], 60_000)
    for (const device of connected) device.socket.terminate()
  },

  async 'webhooks with large backlogs, some of which nobody answers'(on, large, { events, webhooks }) {
    await using answering = await receiver()
    await using hanging = await receiver(() => undefined)
    const made = await Promise.all(
      Array.from({ length: webhooks }, async (_, index) => {
        const url = index % 2 === 0 ? answering.url : hanging.url
        const { status, body } = await large.ask('POST', '/v2/webhooks', { url, filter, expand })
        expect(status).toBe(200)
        return String(body.id)
      }),
    )
    const last = await happen(on, large, events)
    const delivered = () => answering.received.filter(({ event }) => event.id === last).length
    await expect.poll(delivered, { timeout: 120_000 }).toBe(Math.ceil(webhooks / 2))
    for (const id of made) expect((await large.ask('DELETE', `/v2/webhooks/${id}`)).status).toBe(200)
  },
}
