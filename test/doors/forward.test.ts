import { type World, world } from '@gatehouse-access/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ScriptedDevice } from '../devices/scripted-device.ts'
import { wiredBuilding } from './wired-building.ts'

const owned = new AsyncDisposableStack()
let w: World

beforeAll(async () => {
  w = owned.use(await world())
})
afterAll(() => owned.disposeAsync())

/** A keypad whose door hangs on another controller. Both are connected. */
async function keypadElsewhere() {
  const tenant = await w.tenant()
  const { doors, guards } = await wiredBuilding(w, tenant, 2)
  const [here, there] = doors as [(typeof doors)[number], (typeof doors)[number]]
  const { id: gadget_id } = there.door
  const rules = { '': 'open', '*7': 'leave', '*8': 'secure' }
  const input_rules = Object.entries(rules).map(([code, action_id]) => ({ code, gadget_id, action_id }))
  await tenant.client.devices.edit(here.device.id, { input_rules })
  const keypad = await ScriptedDevice.connect(here.credentials)
  const other = await ScriptedDevice.connect(there.credentials)
  await keypad.until(({ policy }) => policy !== undefined)
  const ask = async (action_id: string) => {
    const { device_id } = keypad
    keypad.send({ type: 'forward', device_id, id: `forward-${action_id}`, gadget_id, action_id })
    return (await keypad.next('forwarded')).outcome
  }
  const lockDown = () =>
    tenant.client.emergencies.create({
      type: 'lockdown',
      targets: { gadget_ids: [gadget_id] },
      exempt_member_group_ids: [guards.id],
    })
  return { tenant, keypad, other, ask, lockDown }
}

test('a keypad that has not confirmed a lockdown opens no door elsewhere, and lets people out', async () => {
  const { tenant, keypad, other, ask, lockDown } = await keypadElsewhere()
  expect(await ask('open')).toBe('done')
  keypad.confirms = false
  const emergency = await lockDown()
  expect(await ask('open')).toBe('refused')
  expect(await ask('leave')).toBe('done')
  expect(await ask('secure')).toBe('done')

  // Once it knows, it is the one to decide: only who is exempt gets this far.
  await keypad.until(({ slice }) => slice.emergencies.has(emergency.id))
  expect(await ask('open')).toBe('refused')
  keypad.confirms = true
  const { device_id, policy } = keypad
  if (policy) keypad.send({ type: 'applied', device_id, ...policy })
  await expect.poll(() => ask('open')).toBe('done')

  await tenant.client.emergencies.end(emergency.id, {})
  keypad.confirms = false
  expect(await ask('open')).toBe('done')
  for (const device of [keypad, other]) await device.close()
})
