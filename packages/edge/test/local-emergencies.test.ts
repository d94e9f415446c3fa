import { capabilityNames, type JournalEvent } from '@gatehouse-access/api'
import { fromMicroseconds } from '@gatehouse-access/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hour, lockdown, monday, openBuilding, pins, plan, street } from './moded-doors.ts'
import { trigger } from './slices.ts'

let building: Awaited<ReturnType<typeof openBuilding>>
beforeEach(async () => {
  building = await openBuilding()
})
afterEach(() => building[Symbol.asyncDispose]())

const at = (seconds: number) => fromMicroseconds(monday + seconds * 1e6)
const panic = () => building.edge.agent.reportSignal(street.id, 'panic')

test('a panic button locks all doors of its plan at once, without the service', async () => {
  const [, started] = await panic()
  expect(started).toMatchObject({
    type: 'emergency',
    action: 'start',
    emergency_plan_id: plan.id,
    gadget_id: street.id,
    signal_id: 'panic',
  })
  expect(await building.driven()).toEqual(['street secure', 'magnet secure'])
  expect(await building.enter(pins.staff)).toBe('lockdown')
  expect(await building.enter(pins.guard)).toBe('use')
  expect(await panic()).toHaveLength(1)
  await building.kill()
  expect(await building.enter(pins.staff)).toBe('lockdown')
  expect(await building.journal('emergency')).toHaveLength(1)
})

test('a trigger that it holds back is told, to an older service as something that it does not believe', async () => {
  const source = { source_type: 'signal', source_gadget_id: street.id, source_signal_id: 'leave' } as const
  const opening = trigger({ id: 'gt_open', ...source, target_gadget_id: street.id, target_action_id: 'open' })
  await building.feed({ emergencies: [lockdown()], triggers: [opening] })
  const [, held] = await building.edge.agent.reportSignal(street.id, 'leave')
  expect(held).toMatchObject({ type: 'trigger_denial', gadget_trigger_id: 'gt_open', action_id: 'open' })
  await building.edge.device.recorder.write()
  const { uploader } = building.edge.device
  const sent: JournalEvent[] = []
  const known = capabilityNames.filter(name => name !== 'trigger_denials')
  uploader.start(0, ({ events }) => void sent.push(...events), known)
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  expect(sent.map(({ type }) => type)).not.toContain('trigger_denial')
  expect(sent.find(({ type }) => type === 'denial')).toEqual({
    type: 'denial',
    sequence: held?.sequence,
    occurred_at: held?.occurred_at,
    gadget_id: street.id,
    action_id: 'open',
    access_method: 'online',
    reason: 'lockdown',
  })
  uploader.stop()
})

test("the service's own emergency takes its place, without an instant in between", async () => {
  await panic()
  await building.driven()
  await building.feed({ emergencies: [lockdown()] })
  expect(building.edge.station.doors.memory.emergencies).toEqual([])
  expect(await building.driven()).toEqual([])
  await building.feed({}, { emergencies: [lockdown().id] })
  expect(await building.enter(pins.staff)).toBe('use')
})

test('an emergency that was known before may have ended: a button starts another one', async () => {
  await building.feed({ emergencies: [lockdown()] })
  await panic()
  await building.feed({}, { emergencies: [lockdown().id] })
  expect(await building.enter(pins.staff)).toBe('lockdown')
  const id = 'em_0000000000000000000b'
  await building.feed({ emergencies: [lockdown({ id })] })
  await building.feed({}, { emergencies: [id] })
  expect(await building.enter(pins.staff)).toBe('use')
})

test('it lasts as long as the plan says, from the first sure time', async () => {
  await building.feed({ emergency_plans: [{ ...plan, ends_after_seconds: hour }] })
  await building.kill(0)
  await panic()
  await building.pass(3 * hour)
  expect(await building.enter(pins.staff)).toBe('lockdown')
  building.edge.synchronize(monday + 9 * hour * 1e6)
  await building.pass(2)
  await building.pass(hour - 3)
  expect(await building.enter(pins.staff)).toBe('lockdown')
  await building.pass(3)
  expect(await building.enter(pins.staff)).toBe('use')
})

test('its lease ends like that of any other', async () => {
  await panic()
  await building.pass(12 * hour + 1)
  expect(await building.enter(pins.staff)).toBe('use')
  expect((await building.journal('mode')).at(-1)).toMatchObject({ cause: 'lease_ended' })
})

test('a service that knows of it and sends nothing for a minute has ended it, if it could send', async () => {
  await panic()
  await building.driven()
  await building.edge.device.recorder.acknowledge(building.edge.device.recorder.last_sequence)
  await building.pass(300)
  expect(await building.enter(pins.staff)).toBe('lockdown')
})

test('who may use the control gadget starts and ends the plan at the keypad', async () => {
  expect(await building.enter(pins.staff, '*9')).toBe('no_matching_rule')
  expect(await building.driven()).toEqual([])
  expect(await building.enter(pins.guard, '*9')).toBe('use')
  expect(await building.driven()).toEqual(['street secure', 'panel start', 'magnet secure'])
  expect(await building.enter(pins.staff)).toBe('lockdown')
  expect(await building.enter(pins.guard, '*8')).toBe('use')
  expect(await building.enter(pins.staff)).toBe('use')
  const [started, ended] = await building.journal('emergency')
  expect([started, ended]).toMatchObject([
    { action: 'start', member_id: 'mem_guard', access_method: 'pin', credential_id: 'mp_guard' },
    { action: 'end', local_id: started?.local_id, member_id: 'mem_guard' },
  ])
})

test('hardware that the control gadget does not have keeps nobody from starting', async () => {
  building.edge.driver.fault = 'stuck_door'
  expect(await building.enter(pins.guard, '*9')).toBe('use')
  expect(await building.enter(pins.staff)).toBe('lockdown')
})

test('an emergency of the service is ended here, unless the service renews it', async () => {
  await building.feed({ emergencies: [lockdown({ held_until: at(5 * hour) })] })
  expect(await building.enter(pins.guard, '*8')).toBe('use')
  expect(await building.enter(pins.staff)).toBe('use')
  expect(await building.journal('emergency')).toMatchObject([{ action: 'end', emergency_id: lockdown().id }])
  await building.kill()
  expect(await building.enter(pins.staff)).toBe('use')
  await building.feed({ emergencies: [lockdown({ held_until: at(6 * hour) })] })
  expect(await building.enter(pins.staff)).toBe('lockdown')
})

test('to end what does not run is only a use', async () => {
  expect(await building.enter(pins.guard, '*8')).toBe('use')
  expect(await building.journal('emergency')).toEqual([])
})
