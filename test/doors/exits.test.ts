import { fromMicroseconds } from '@gatehouse-access/core'
import { manyOr } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settle } from '../../packages/edge/test/manual-platform.ts'
import {
  fire,
  lockdown,
  magnet,
  monday,
  pins,
  plan,
  rule,
  slice,
  street,
} from '../../packages/edge/test/moded-doors.ts'
import { trigger } from '../../packages/edge/test/slices.ts'
import { startOn } from './controller.ts'

const at = (seconds: number) => fromMicroseconds(monday + seconds * 1e6)
const here = { gadget_ids: [magnet.id], targets: { gadget_ids: [magnet.id] } }
const always = [{ id: 'sch_day', weekdays: Array(7).fill({ ranges: [{ start: 0, end: 86_400 }] }) }]
const burning = [{ id: 'site_a', timezone: 'UTC', fire: { ...fire, since: at(0) } }]
const override = { id: magnet.id, mode: 'unlocked', lasts: 'indefinitely', set_at: at(0) }
const first_person = { member_group_ids: ['mg_guards'], early_seconds: 0, before: 'closed' }

/** Every mode by every source. */
const sources = {
  default: [{}, 'controlled'],
  'unlock rule': [{ unlock_rules: [{ ...rule, ...here }] }, 'unlocked'],
  'waiting rule': [{ unlock_rules: [{ ...rule, ...here, first_person }] }, 'controlled'],
  'override, unlocked': [{ overrides: [override] }, 'unlocked'],
  'override, controlled': [{ overrides: [{ ...override, mode: 'controlled' }] }, 'controlled'],
  lockdown: [{ emergencies: [lockdown(here)] }, 'lockdown'],
  'lockdown that unlocks it': [
    { emergencies: [lockdown({ ...here, unlocked_gadget_ids: [magnet.id] })] },
    'unlocked',
  ],
  evacuation: [{ emergencies: [lockdown({ ...here, type: 'evacuation' })] }, 'evacuation'],
  fire: [{ sites: burning, emergencies: [lockdown(here)] }, 'evacuation'],
} as const

/** Presses the button, and returns what the hardware was told before anything else could happen. */
function press({ agent, driver }: Awaited<ReturnType<typeof startOn>>, signal = 'exit'): string[] {
  driver.done.splice(0)
  void agent.reportSignal(magnet.id, signal)
  return driver.done.map(({ gadget_id, action_id }) => `${gadget_id} ${action_id}`)
}

test.each(Object.entries(sources))(
  'a request to exit releases an electric door at once: %s',
  async (_, [rows, mode]) => {
    const controller = await startOn(monday, { ...slice, schedules: always, ...rows })
    const isRule = 'unlock_rules' in rows
    if (isRule) controller.synchronize(monday)
    await controller.agent.tick()
    await settle()
    const driven = controller.device.station.doors.memory.driven[magnet.id]?.mode
    expect(driven ?? 'controlled').toBe(mode)
    expect(press(controller)).toEqual([`${magnet.id} open`])
    controller.stickDisk()
    expect(press(controller)).toEqual([`${magnet.id} open`])
  },
)

test('the control: a mechanical door is not released, nor on another signal', async () => {
  const door = { ...magnet.door, egress: 'mechanical' }
  const controller = await startOn(monday, { ...slice, gadgets: [street, { ...magnet, door }] })
  expect(press(controller)).toEqual([])
  await controller.feed({ gadgets: [magnet] })
  expect(press(controller, 'leave')).toEqual([])
  expect(press(controller)).toEqual([`${magnet.id} open`])
})

const signal = fc.constantFrom('exit', 'panic', 'leave')
const action = fc.constantFrom('open', 'hold', 'secure', 'start', 'end')
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 2 })

/** Anything that can be configured around the door, including what makes its own button mean something else. */
const configuration = fc.record({
  door: fc.record({
    release_action_id: fc.constantFrom('open', 'start', 'end'),
    exit_action_ids: some(action),
    on_stop: fc.constantFrom('secure', 'keep'),
    lock_type: fc.constantFrom('fail_safe', 'fail_secure'),
    release_seconds: fc.integer({ min: 1, max: 300 }),
  }),
  canHold: fc.boolean(),
  names: fc.subarray(Object.keys(sources) as (keyof typeof sources)[]),
  control: fc.constantFrom(magnet.id, 'gad_panel'),
  button: signal,
  last: signal,
  triggers: some(fc.record({ source_signal_id: signal, target_action_id: action })),
  isSure: fc.boolean(),
  isStuck: fc.boolean(),
  fault: fc.constantFrom(undefined, 'stuck_door' as const),
  before: some(signal),
  seconds: fc.integer({ min: 0, max: 100_000 }),
})

test('no configuration stops it', async () => {
  const property = fc.asyncProperty(configuration, async given => {
    const { door, names, button, last } = given
    const holding = given.canHold ? {} : { hold_action_id: null, secure_action_id: null }
    const gadget = {
      ...magnet,
      actions: ['open', 'hold', 'secure', 'start', 'end'].map(id => ({ id })),
      door: { ...magnet.door, ...door, ...holding },
    }
    const modes = Object.assign({}, ...names.map(name => sources[name][0]))
    const rules = (modes.unlock_rules ?? []).map((row: object) => ({
      ...row,
      last_person_signal: { gadget_id: magnet.id, signal_id: last },
    }))
    const controller = await startOn(monday, {
      ...slice,
      ...modes,
      schedules: always,
      unlock_rules: rules,
      gadgets: [street, gadget, ...slice.gadgets.slice(2)],
      emergency_plans: [
        { ...plan, control_gadget_id: given.control, trigger: { gadget_id: magnet.id, signal_id: button } },
      ],
      triggers: given.triggers.map((row, index) =>
        trigger({
          id: `gt_${index}`,
          source_type: 'signal',
          source_gadget_id: magnet.id,
          target_gadget_id: magnet.id,
          ...row,
        }),
      ),
    })
    if (given.isSure) controller.synchronize(monday)
    controller.driver.fault = given.fault
    await controller.type(`*9${pins.guard}#`)
    for (const each of given.before) void controller.agent.reportSignal(magnet.id, each)
    await controller.at(controller.agent.clock.now().time + given.seconds * 1e6)
    controller.driver.fault = undefined
    if (given.isStuck) controller.stickDisk()
    expect(press(controller)[0]).toBe(`${magnet.id} ${door.release_action_id}`)
  })
  await fc.assert(property, { numRuns: manyOr(40) })
})
