import { within } from '@gatehouse-access/testkit'
import { afterAll, expect, test } from 'vitest'
import { guest } from '../devices/building.ts'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { controlledBuilding, startController } from './controlled-building.ts'

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())

test(
  'who may start a plan does so at a keypad without a network; others are denied and told why',
  within(60),
  async () => {
    const building = await controlledBuilding(owned, 2)
    const { doors, first, second, site, tenant, w } = building
    const { client } = tenant
    const panel = await client.gadgets.create({
      name: 'Panel',
      device_id: first.device.id,
      actions: [
        { id: 'start', name: 'Start' },
        { id: 'end', name: 'End' },
      ],
    })
    const guards = await client.member_groups.create({
      name: 'Wardens',
      permissions: [{ gadget_id: panel.id }],
    })
    const doorsOnly = await client.member_groups.create({
      name: 'Doors only',
      permissions: [{ gadget_id: first.door.id }, { gadget_id: second.id }],
    })
    await guest(tenant, guards.id, '135791')
    await guest(tenant, doorsOnly.id, '864209')
    await client.devices.edit(first.device.id, {
      input_rules: [
        { code: '', gadget_id: first.door.id, action_id: 'open' },
        { code: '*9', gadget_id: panel.id, action_id: 'start' },
        { code: '*8', gadget_id: panel.id, action_id: 'end' },
      ],
    })
    const plan = await client.emergency_plans.create({
      name: 'Lockdown',
      type: 'lockdown',
      targets: { site_ids: [site.id] },
      control_gadget_id: panel.id,
    })
    const { edge, cable, goOffline } = await startController(owned, building)
    const far = await ScriptedDevice.connect(doors[1]?.credentials as never)
    await far.until(({ policy }) => policy !== undefined)
    await goOffline()

    const [denied] = await edge.type('*9864209#')
    expect(denied).toMatchObject({ type: 'denial', gadget_id: panel.id, reason: 'no_matching_rule' })
    expect(denied).toHaveProperty('rules')
    expect(await edge.decide('864209', first.door.id)).toBe(null)

    expect(await edge.type('*9135791#')).toMatchObject([
      { type: 'use', gadget_id: panel.id, action_id: 'start' },
    ])
    const secured = async () =>
      (await edge.orders())
        .filter(({ action_id }) => action_id === 'secure')
        .map(({ gadget_id }) => gadget_id)
    await expect.poll(async () => (await secured()).sort()).toEqual([first.door.id, second.id].sort())
    expect(await edge.decide('864209', second.id)).toBe('lockdown')
    expect(far.slice.emergencies.size).toBe(0)

    cable.mend()
    await far.until(() => far.slice.emergencies.size === 1)
    const { data } = await client.emergencies.list({})
    expect(data).toMatchObject([{ emergency_plan_id: plan.id, gadget_count: 3 }])
    await far.close()
    expect(await edge.decide('864209', first.door.id)).toBe('lockdown')
    await client.emergencies.end(data[0]?.id ?? '')
    await expect.poll(() => edge.decide('864209', first.door.id)).toBe(null)

    // A panic button of the same plan: the last door of the gateway is locked within 100 ms.
    const trigger = { gadget_id: first.door.id, signal_id: 'panic' }
    await client.emergency_plans.edit(plan.id, { trigger })
    await edge.waitFor(({ buttons }) => buttons === 1)
    await goOffline()
    const took = [await edge.signal(first.door.id, 'panic')]
    while (Math.min(...took) >= 100 && took.length < 5) {
      expect(await edge.type('*8135791#')).toMatchObject([{ type: 'use', action_id: 'end' }])
      took.push(await edge.signal(first.door.id, 'panic'))
    }
    expect(Math.min(...took)).toBeLessThan(100)
    expect(await edge.decide('864209', second.id)).toBe('lockdown')
    cable.mend()
    const running = async () =>
      (await client.emergencies.list({})).data.filter(({ ended_at }) => ended_at === null)
    await expect.poll(running).toMatchObject([{ confirmed_gadget_count: 2 }])

    // Told too late: what started is over at the controller, and starts nowhere else.
    await client.emergencies.end((await running())[0]?.id ?? '')
    await expect.poll(() => edge.decide('864209', second.id)).toBe(null)
    await goOffline()
    await edge.signal(first.door.id, 'panic')
    await edge.advance(13 * 3600)
    w.clock.advance(13 * 3600)
    await expect.poll(() => edge.decide('864209', second.id)).toBe(null)
    cable.mend()
    await expect.poll(async () => (await edge.journal()).length).toBe(0)
    expect(await running()).toEqual([])
  },
)
