import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@gatehouse-access/sdk'
import { type Receiver, receiver, type World, within, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cable, layCable } from './cable.ts'
import { EdgeChild } from './edge-child.ts'

let w: World
let client: Client
let hook: Receiver
let cable: Cable
let folder: string
const owned = new AsyncDisposableStack()

beforeAll(async () => {
  w = owned.use(await world({ delivery: true }))
  client = (await w.tenant()).client
  hook = owned.use(await receiver())
  cable = owned.use(await layCable(w.url))
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-edge-story-'))
  owned.defer(() => rm(folder, { recursive: true, force: true }))
})
afterAll(() => owned.disposeAsync())

const hour = 3600

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let wait = 0; !(await isDone()); wait++) {
    if (wait > 1000) throw new Error('it did not come')
    await sleep(50)
  }
}

test(
  'a controller works through a day without the service, over a change of clocks and a kill',
  async () => {
    w.clock.set('2026-03-28T19:00:00Z')
    const site = await client.sites.create({ name: 'House', timezone: 'Europe/Madrid' })
    const product_id = 'controller'
    const controller = await client.devices.create({
      name: 'C',
      site_id: site.id,
      product_id,
      hardware_id: 'hw_STORY',
    })
    const door = await client.gadgets.create({ name: 'Door', device_id: controller.id })
    const weekdays = Array.from({ length: 7 }, () => ({ ranges: [{ start: 9 * hour, end: 18 * hour }] }))
    const schedule = await client.schedules.create({ name: 'Office hours', weekdays })
    const permissions = [{ gadget_id: door.id, schedule_id: schedule.id }]
    const group = await client.member_groups.create({ name: 'Staff', permissions })
    const join = async () => {
      const member = await client.members.create({ name: 'Somebody' })
      await client.member_group_associations.create(member.id, { member_group_id: group.id })
      return { id: member.id, pin: (await client.member_pins.create(member.id, {})).pin }
    }
    const [staff, left] = [await join(), await join()]
    await client.webhooks.create({ url: hook.url, filter: [{ object_type: 'gadget_action' }] })

    const { secret } = await client.devices.issue_credentials(controller.id)
    const options = { url: cable.url, hardware_id: 'hw_STORY', secret, folder, ahead: 0 }
    await using edge = new EdgeChild(options)
    await edge.waitFor(({ is_live, version, is_sure }) => is_live && version !== null && is_sure)
    await until(async () => (await client.devices.get(controller.id)).status.online)
    const advance = async (seconds: number) => {
      w.clock.advance(seconds)
      await edge.advance(seconds)
    }
    const outcome = async (pin: string) => {
      const [event] = await edge.type(`${pin}#`)
      return event?.type === 'denial' ? event.reason : event?.type
    }

    const before = (await edge.status()).version
    await client.members.delete(left.id)
    await edge.waitFor(({ version }) => version !== before)
    cable.cut()
    await edge.waitFor(({ is_live }) => !is_live)
    await until(async () => !(await client.devices.get(controller.id)).status.online)

    expect(await outcome(staff.pin)).toBe('outside_schedule')
    expect(await outcome(left.pin)).toBe('unknown_credential')
    // The clocks change in this night, so nine o'clock comes an hour earlier than yesterday.
    await advance(12.5 * hour)
    expect(await outcome(staff.pin)).toBe('use')
    await edge.kill()
    edge.restart()
    expect((await edge.status()).is_live).toBe(false)
    await advance(8 * hour)
    expect(await outcome(staff.pin)).toBe('use')
    await advance(hour)
    expect(await outcome(staff.pin)).toBe('outside_schedule')
    const { last_sequence } = await edge.status()
    expect(last_sequence).toBe(5)

    await advance(hour)
    cable.mend()
    const uses = async () =>
      (
        await client.events.list({
          'object.gadget_id': door.id,
          verb: 'use',
          sort: 'created_at:asc',
        } as never)
      ).data
    await until(async () => (await uses()).length === 2)
    await hook.waitFor(2, 40_000)
    const recorded = await uses()
    expect(recorded.map(event => event.subject.member_id)).toEqual([staff.id, staff.id])
    const [first, second] = recorded.map(event => event.created_at.slice(0, 13))
    expect([first, second]).toEqual(['2026-03-29T07', '2026-03-29T15'])
    expect(recorded.map(event => event.clock_adjusted)).toEqual([false, false])
    const { data: denials } = await client.events.list({
      'object.device_id': controller.id,
      'object.type': 'access_denial',
      sort: 'created_at:asc',
    } as never)
    expect(denials.map(event => event.object.reason)).toEqual([
      'outside_schedule',
      'unknown_credential',
      'outside_schedule',
    ])
    // Reporting the same events again changes nothing.
    cable.cut()
    await edge.waitFor(({ is_live }) => !is_live)
    cable.mend()
    await edge.waitFor(({ is_live }) => is_live)
    await sleep(300)
    expect(await uses()).toHaveLength(2)
    expect(hook.received.map(({ event }) => event.id)).toEqual(recorded.map(({ id }) => id))
  },
  within(180).timeout,
)
