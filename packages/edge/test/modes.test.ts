import { fromMicroseconds } from '@gatehouse-access/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hour, lockdown, magnet, monday, openBuilding, pins, rule, slice, street } from './moded-doors.ts'
import { trigger } from './slices.ts'

let building: Awaited<ReturnType<typeof openBuilding>>
beforeEach(async () => {
  building = await openBuilding()
})
afterEach(() => building[Symbol.asyncDispose]())

const at = (seconds: number) => fromMicroseconds(monday + seconds * 1e6)
const override = (changes: object) => ({
  id: street.id,
  mode: 'unlocked',
  lasts: 'indefinitely',
  set_at: at(0),
  ...changes,
})

describe('modes', () => {
  test('a lockdown secures doors, lets in only who is exempt, and is in the journal', async () => {
    expect(await building.enter(pins.staff)).toBe('use')
    await building.driven()
    await building.feed({ emergencies: [lockdown()] })
    expect(await building.driven()).toEqual(['street secure', 'magnet secure'])
    expect(await building.enter(pins.staff)).toBe('lockdown')
    expect(await building.enter(pins.guard)).toBe('use')
    expect(await building.enter(pins.visitor)).toBe('no_association')
    await building.feed({}, { emergencies: [lockdown().id] })
    expect(await building.enter(pins.staff)).toBe('use')
    expect(await building.modes()).toEqual([
      'magnet lockdown emergency',
      'street lockdown emergency',
      'magnet controlled default',
      'street controlled default',
    ])
  })

  test('an unlock rule holds its door open from the instant of the turn, and secures it at its end', async () => {
    await building.feed({ unlock_rules: [rule] })
    await building.pass(hour - 1)
    expect(await building.driven()).toEqual([])
    await building.pass(0.9)
    expect(await building.driven()).toEqual([])
    await building.pass(0.1)
    await building.edge.station.doors.settled()
    expect(await building.driven()).toEqual(['street hold'])
    expect(await building.enter(pins.visitor)).toBe('use')
    expect(await building.enter('999999')).toBe('unknown_credential')
    await building.pass(10 * hour)
    expect(await building.driven()).toEqual(['street secure'])
    expect(await building.journal('mode')).toMatchObject([
      { mode: 'unlocked', unlock_rule_id: rule.id, outcome: 'done', occurred_at: at(hour) },
      { mode: 'controlled', source: 'default', occurred_at: at(11 * hour) },
    ])
  })

  test('a door that no mode concerns is never driven, whoever holds it open', async () => {
    await building.edge.device.commands.run({
      id: 'cmd_1',
      gadget_id: street.id,
      action_id: 'hold',
      deadline: at(5),
    })
    await building.pass(60)
    await building.kill()
    expect(await building.driven()).toEqual([])
    expect(await building.modes()).toEqual([])
  })

  test('what moved a lock against its mode is undone after ten seconds', async () => {
    await building.feed({ overrides: [override({})] })
    await building.driven()
    const secured = { id: 'cmd_1', gadget_id: street.id, action_id: 'secure', deadline: at(5) }
    expect(await building.edge.device.commands.run(secured)).toMatchObject({ outcome: 'done' })
    await building.pass(9)
    expect(await building.driven()).toEqual(['street secure'])
    await building.pass(2)
    expect(await building.driven()).toEqual(['street hold'])
    await building.pass(30)
    expect(await building.driven()).toEqual([])
  })

  test('hardware that fails is told as failed and tried again until it works', async () => {
    building.edge.driver.fault = 'stuck_door'
    await building.feed({ emergencies: [lockdown()] })
    await building.pass(3)
    expect(await building.journal('mode')).toMatchObject([
      { outcome: 'failed', cause: 'hardware_failed' },
      { outcome: 'failed' },
    ])
    building.edge.driver.fault = undefined
    await building.pass(10)
    expect(await building.driven()).toEqual(['street secure', 'magnet secure'])
    expect((await building.journal('mode')).slice(2)).toMatchObject([
      { outcome: 'done' },
      { outcome: 'done' },
    ])
    await building.pass(60)
    expect(await building.driven()).toEqual([])
  })

  test('a person at a door that is held open is recorded without moving the lock', async () => {
    await building.feed({ overrides: [override({})] })
    await building.driven()
    expect(await building.enter(pins.staff)).toBe('use')
    expect(await building.driven()).toEqual([])
  })

  test('a request to exit releases a held door too, and it is held again', async () => {
    await building.feed({ overrides: [override({ id: magnet.id })] })
    await building.driven()
    await building.edge.agent.reportSignal(magnet.id, 'exit')
    expect(await building.driven()).toEqual(['magnet open', 'magnet hold'])
    await building.pass(12)
    expect(await building.driven()).toEqual(['magnet hold'])
    await building.pass(60)
    expect(await building.driven()).toEqual([])
  })

  test('in a lockdown triggers open nothing, except for who asks to leave', async () => {
    const by = (id: string, signal: string, action: string) =>
      trigger({
        id,
        source_type: 'signal',
        source_gadget_id: street.id,
        source_signal_id: signal,
        target_gadget_id: street.id,
        target_action_id: action,
      })
    const triggers = [
      by('gt_bell', 'leave', 'open'),
      by('gt_exit', 'exit', 'open'),
      by('gt_s', 'leave', 'secure'),
    ]
    await building.feed({ triggers, emergencies: [lockdown()] })
    await building.driven()
    await building.edge.agent.reportSignal(street.id, 'leave')
    expect(await building.driven()).toEqual(['street secure'])
    await building.edge.agent.reportSignal(street.id, 'exit')
    expect(await building.driven()).toEqual(['street open'])
  })

  test('a door that is no longer one is not left open', async () => {
    await building.feed({ overrides: [override({})] })
    await building.driven()
    const { door: _, ...plain } = street
    await building.feed({ gadgets: [plain] })
    expect(await building.driven()).toEqual(['street secure'])
  })

  test('an orderly stop secures what is held open, as the door says, and the start holds it again', async () => {
    await building.feed({ overrides: [override({}), override({ id: magnet.id })] })
    await building.driven()
    const { driver } = building.edge
    await building.edge[Symbol.asyncDispose]()
    expect(driver.done.splice(0)).toMatchObject([{ gadget_id: street.id, action_id: 'secure' }])
    building.platform.forgetTimers()
    building.restart()
    expect(await building.driven()).toEqual(['street hold', 'magnet hold'])
  })

  test('an evacuation stays open when the controller stops, whatever the door says', async () => {
    await building.feed({ emergencies: [lockdown({ type: 'evacuation' })] })
    await building.driven()
    const { driver } = building.edge
    await building.edge[Symbol.asyncDispose]()
    expect(driver.done).toEqual([])
    building.platform.forgetTimers()
    building.restart()
  })

  test('a door that cannot be held open is released again and again in an evacuation', async () => {
    const { hold_action_id: _, secure_action_id: __, ...door } = street.door
    await building.feed({ gadgets: [{ ...street, door }], emergencies: [lockdown({ type: 'evacuation' })] })
    await building.pass(20)
    const orders = await building.driven()
    expect(orders.filter(order => order === 'street open').length).toBeGreaterThan(3)
    expect((await building.journal('mode')).find(({ gadget_id }) => gadget_id === street.id)).toMatchObject({
      mode: 'evacuation',
      outcome: 'failed',
      cause: 'cannot_hold',
    })
  })
})

describe('after a power loss', () => {
  test('a lockdown denies and a held door is driven again, before any connection', async () => {
    const only = { targets: { gadget_ids: [street.id] } }
    await building.feed({ emergencies: [lockdown(only)], overrides: [override({ id: magnet.id })] })
    await building.driven()
    await building.kill()
    expect(await building.driven()).toEqual(['street secure', 'magnet hold'])
    expect(await building.enter(pins.staff)).toBe('lockdown')
    expect(await building.modes()).toHaveLength(2)
  })

  test('without a sure clock no rule opens, what was unlocked for a time is secured, a lockdown holds', async () => {
    await building.feed({
      unlock_rules: [rule],
      overrides: [override({ id: magnet.id, lasts: 'until', until: at(20 * hour) })],
    })
    await building.pass(2 * hour)
    expect(await building.driven()).toEqual(['street hold', 'magnet hold'])
    await building.kill(monday + 3 * hour * 1e6)
    expect(await building.driven()).toEqual(['street secure', 'magnet secure'])
    building.edge.synchronize(monday + 3 * hour * 1e6)
    await building.pass(1)
    expect(await building.driven()).toEqual(['street hold', 'magnet hold'])
    await building.feed({ emergencies: [lockdown({ ends_at: at(4 * hour), held_until: at(4 * hour) })] })
    await building.driven()
    await building.kill(monday + 9 * hour * 1e6)
    expect(await building.enter(pins.staff)).toBe('lockdown')
  })

  test('what changed while it was off is made up for', async () => {
    await building.feed({ unlock_rules: [rule] })
    await building.pass(2 * hour)
    await building.driven()
    building.platform.forgetTimers()
    await building.edge.storage.close()
    await building.platform.advance(10 * hour)
    building.restart()
    expect(await building.driven()).toEqual(['street secure'])
    expect((await building.journal('mode')).at(-1)).toMatchObject({ mode: 'controlled', source: 'default' })
  })
})

describe('leases', () => {
  test('a lease that is not renewed ends at its second, and the journal says so', async () => {
    await building.feed({ emergencies: [lockdown({ held_until: at(12 * hour) })] })
    await building.pass(12 * hour - 1)
    expect(await building.enter(pins.staff)).toBe('lockdown')
    await building.driven()
    await building.pass(1)
    expect(await building.enter(pins.staff)).toBe('use')
    expect((await building.journal('mode')).slice(2)).toMatchObject([
      { mode: 'controlled', cause: 'lease_ended', occurred_at: at(12 * hour) },
      { mode: 'controlled', cause: 'lease_ended' },
    ])
  })

  test('a renewal lasts on, and an end of its own is no lease', async () => {
    await building.feed({ emergencies: [lockdown({ held_until: at(hour) })] })
    await building.pass(hour / 2)
    await building.feed({ emergencies: [lockdown({ held_until: at(2 * hour), ends_at: at(1.5 * hour) })] })
    await building.pass(hour / 2 + 60)
    expect(await building.enter(pins.staff)).toBe('lockdown')
    await building.pass(hour / 2)
    expect(await building.enter(pins.staff)).toBe('use')
    expect((await building.journal('mode')).some(({ cause }) => cause)).toBe(false)
  })
})

test('nothing that travels with a policy is lost when many members are loaded or a snapshot arrives', async () => {
  await building.feed({ emergencies: [lockdown()] })
  const { edge } = building
  await edge.agent.reportSignal(street.id, 'panic')
  await building.feed({ ...slice, emergencies: [] } as never, { emergencies: [lockdown().id] })
  expect(await building.enter(pins.staff)).toBe('lockdown')
})
