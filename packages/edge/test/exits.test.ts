import type { SliceRows } from '@gatehouse-access/api'
import { toMicroseconds } from '@gatehouse-access/core'
import { manyOr } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { Feeder, keypad, ownDevice, trigger } from './slices.ts'

const noon = toMicroseconds('2026-06-01T12:00:00Z')
const named = (...ids: string[]) => ids.map(id => ({ id }))
const letters = ['a', 'b', 'c'] as const

let folder: ReturnType<typeof makeFolder>
let platform: ManualPlatform
let edge: ReturnType<typeof startEdge>
let feeder: Feeder

beforeEach(() => {
  folder = makeFolder()
  platform = new ManualPlatform(noon)
  edge = startEdge(platform, folder.path)
  feeder = new Feeder(edge.device)
})
afterEach(async () => {
  await edge[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const magnetic = { release_action_id: 'open', exit_signal_id: 'exit', egress: 'electric' }

function sliceWith(door: object | undefined, rest: Partial<SliceRows> = {}): SliceRows {
  const gadget = {
    id: 'gad_door',
    site_id: 'site_a',
    device_id: ownDevice,
    actions: named('open', 'ring'),
    states: named('closed', 'open'),
    signals: named('exit', 'bell'),
    ...(door && { door }),
  }
  return {
    sites: [{ id: 'site_a', timezone: 'UTC' }],
    devices: [keypad([])],
    gadgets: [gadget],
    ...rest,
  } as never
}

const driven = () => edge.driver.done.splice(0).map(({ action_id }) => action_id)

test('a request to exit releases an electric door, and the journal says both', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  expect(await edge.agent.reportSignal('gad_door', 'exit')).toMatchObject([
    { type: 'signal', signal_id: 'exit' },
    { type: 'exit', gadget_id: 'gad_door', action_id: 'open', signal_id: 'exit' },
  ])
  expect(driven()).toEqual(['open'])
})

test('only that signal does, only at such a door, and only while the door is configured', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  await edge.agent.reportSignal('gad_door', 'bell')
  await feeder.delta(sliceWith({ ...magnetic, egress: 'mechanical' }))
  await edge.agent.reportSignal('gad_door', 'exit')
  await feeder.delta(sliceWith(undefined))
  await edge.agent.reportSignal('gad_door', 'exit')
  expect(driven()).toEqual([])
})

test('after a cold start it lets people out before any connection, without knowing the time', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  await edge[Symbol.asyncDispose]()
  platform.reboot(0)
  edge = startEdge(platform, folder.path)
  expect(await edge.agent.reportSignal('gad_door', 'exit')).toMatchObject([
    { type: 'signal', clock_unsure: true },
    { type: 'exit', clock_unsure: true },
  ])
  expect(driven()).toEqual(['open'])
})

test('a service that takes it for another device does not switch it off', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  edge.device.name('dev_another')
  await edge.agent.reportSignal('gad_door', 'exit')
  expect(driven()).toEqual(['open'])
})

test('a crowd at the button is never slowed down, unlike a trigger', async () => {
  const bySignal = trigger({
    source_type: 'signal',
    source_gadget_id: 'gad_door',
    source_signal_id: 'exit',
    target_gadget_id: 'gad_door',
    target_action_id: 'ring',
  })
  await feeder.snapshot(sliceWith(magnetic, { triggers: [bySignal] } as never))
  for (let press = 0; press < 50; press++) await edge.agent.reportSignal('gad_door', 'exit')
  const orders = driven()
  expect(orders.filter(action => action === 'open')).toHaveLength(50)
  expect(orders.filter(action => action === 'ring')).toHaveLength(10)
})

test('hardware that fails is no exit, and the next press tries again', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  edge.driver.fault = 'stuck_door'
  expect(await edge.agent.reportSignal('gad_door', 'exit')).toMatchObject([{ type: 'signal' }])
  edge.driver.fault = undefined
  await edge.agent.reportSignal('gad_door', 'exit')
  expect(driven()).toEqual(['open'])
})

const letter = fc.constantFrom(...letters)
const ids = fc.subarray([...letters], { minLength: 1 }).map(list => named(...list))
/** Anything that the service could send around an electric door, sensible or not. */
const configuration = fc.record({
  door: fc.record(
    {
      release_action_id: letter,
      exit_signal_id: letter,
      egress: fc.constant('electric'),
      hold_action_id: letter,
      secure_action_id: letter,
      exit_action_ids: fc.subarray([...letters]),
      open_state_id: letter,
      closed_state_id: letter,
      tamper_signal_id: letter,
      lock_type: fc.constantFrom('fail_safe', 'fail_secure'),
      on_stop: fc.constantFrom('secure', 'keep'),
      release_seconds: fc.integer({ min: 1, max: 300 }),
    },
    { requiredKeys: ['release_action_id', 'exit_signal_id', 'egress'] },
  ),
  actions: ids,
  states: ids,
  signals: ids,
  hasSite: fc.boolean(),
  hasDevice: fc.boolean(),
  triggers: fc.array(fc.record({ source_signal_id: letter, target_action_id: letter }), { maxLength: 3 }),
  state: fc.option(letter),
  seconds: fc.integer({ min: 0, max: 100_000 }),
  isSure: fc.boolean(),
  isDelta: fc.boolean(),
  others: fc.array(letter, { maxLength: 12 }),
})

test('whatever else is configured, sent before or happening: the signal is followed by the release', async () => {
  await feeder.snapshot(sliceWith(undefined))
  const property = fc.asyncProperty(configuration, async given => {
    const { door, actions, states, signals, triggers } = given
    const row = { id: 'gad_door', site_id: 'site_a', device_id: ownDevice, actions, states, signals, door }
    const slice = {
      sites: given.hasSite ? [{ id: 'site_a', timezone: 'Nowhere/Land' }] : [],
      devices: given.hasDevice ? [keypad([])] : [],
      gadgets: [row],
      triggers: triggers.map((entry, index) =>
        trigger({
          id: `gt_${index}`,
          source_type: 'signal',
          source_gadget_id: 'gad_door',
          target_gadget_id: 'gad_door',
          ...entry,
        }),
      ),
    }
    await (given.isDelta ? feeder.delta(slice as never) : feeder.snapshot(slice as never))
    if (given.isSure) edge.synchronize(noon)
    await platform.advance(given.seconds / 1000)
    for (const signal of given.others) void edge.agent.reportSignal('gad_door', signal)
    if (given.state) void edge.agent.reportState('gad_door', given.state)
    driven()
    const events = await edge.agent.reportSignal('gad_door', door.exit_signal_id)
    expect(driven()).toContain(door.release_action_id)
    expect(events.find(({ type }) => type === 'exit')).toMatchObject({
      action_id: door.release_action_id,
      signal_id: door.exit_signal_id,
    })
  })
  await fc.assert(property, { numRuns: manyOr(30) })
})

test('a service that does not know exits is sent what came before them, and the next one all', async () => {
  await feeder.snapshot(sliceWith(magnetic))
  await edge.agent.reportSignal('gad_door', 'bell')
  await edge.agent.reportSignal('gad_door', 'exit')
  await edge.device.recorder.write()
  const sent: string[][] = []
  const send = ({ events }: { events: readonly { type: string }[] }) =>
    void sent.push(events.map(({ type }) => type))
  edge.device.uploader.start(0, send)
  await expect.poll(() => sent).toEqual([['signal', 'signal']])
  edge.device.uploader.stop()
  edge.device.uploader.start(0, send, ['doors'])
  await expect.poll(() => sent.at(1)).toEqual(['signal', 'signal', 'exit'])
})
