import type { JournalEvent, SliceRows } from '@gatehouse-access/api'
import { fromMicroseconds, toMicroseconds } from '@gatehouse-access/core'
import { makeFolder, startEdge } from './edge.ts'
import { ManualPlatform } from './manual-platform.ts'
import { Feeder, keypad, ownDevice, pinHash } from './slices.ts'

/** A building with two doors, a street door with mechanical egress and a magnetic one, and everything around. */
export const monday = toMicroseconds('2026-06-01T07:00:00Z')
export const hour = 3600
const named = (...ids: string[]) => ids.map(id => ({ id }))
const everyDay = (start: number, end: number) =>
  Array.from({ length: 7 }, () => ({ ranges: [{ start: start * hour, end: end * hour }] }))

const holdable = {
  release_action_id: 'open',
  hold_action_id: 'hold',
  secure_action_id: 'secure',
  exit_signal_id: 'exit',
  on_stop: 'secure',
  release_seconds: 5,
}
export const street = {
  id: 'gad_street',
  site_id: 'site_a',
  device_id: ownDevice,
  actions: named('open', 'hold', 'secure'),
  states: named('closed', 'open'),
  signals: named('exit', 'panic', 'leave'),
  door: holdable,
}
export const magnet = {
  ...street,
  id: 'gad_magnet',
  door: { ...holdable, egress: 'electric', lock_type: 'fail_safe', on_stop: 'keep' },
}
const other = { site_id: 'site_a', device_id: ownDevice, actions: [], states: [], signals: [] }
const contact = { ...other, id: 'gad_contact', states: named('quiet', 'alarm') }
const panel = { ...other, id: 'gad_panel', actions: named('start', 'end') }

export const plan = {
  id: 'ep_0000000000000000000a',
  type: 'lockdown',
  gadget_ids: [street.id, magnet.id],
  exempt_member_group_ids: ['mg_guards'],
  offline_hold_seconds: 12 * hour,
  control_gadget_id: panel.id,
  trigger: { gadget_id: street.id, signal_id: 'panic' },
}
export const rule = {
  id: 'ur_0000000000000000000a',
  gadget_ids: [street.id],
  schedule_id: 'sch_day',
  is_enabled: true,
}
export const fire = {
  source_gadget_id: contact.id,
  source_state_id: 'alarm',
  release_gadget_ids: [] as string[],
}

export function lockdown(changes: object = {}) {
  return {
    id: 'em_0000000000000000000a',
    plan_id: plan.id,
    type: 'lockdown',
    targets: { gadget_ids: plan.gadget_ids },
    exempt_member_group_ids: ['mg_guards'],
    started_at: fromMicroseconds(monday),
    ...changes,
  }
}

export const pins = { staff: '111111', guard: '222222', visitor: '333333' } as const

function person(id: string, groups: string[], pin: string) {
  return {
    id: `mem_${id}`,
    associations: groups.map(group => ({ id: `mga_${id}_${group}`, member_group_id: group })),
    credentials: [{ id: `mp_${id}`, kind: 'pin', hash: pinHash(pin) }],
  }
}

export const slice = {
  sites: [{ id: 'site_a', timezone: 'UTC' }],
  devices: [
    keypad([
      { code: '', gadget_id: street.id, action_id: 'open' },
      { code: '*9', gadget_id: panel.id, action_id: 'start' },
      { code: '*8', gadget_id: panel.id, action_id: 'end' },
    ]),
  ],
  gadgets: [street, magnet, contact, panel],
  schedules: [{ id: 'sch_day', weekdays: everyDay(8, 18) }],
  groups: [
    { id: 'mg_staff', permissions: [{ gadget_id: street.id, action_id: 'open', rule_index: 0 }] },
    { id: 'mg_guards', permissions: [{ site_id: 'site_a', rule_index: 0 }] },
  ],
  triggers: [],
  emergency_plans: [plan],
  members: [
    person('staff', ['mg_staff'], pins.staff),
    person('guard', ['mg_guards'], pins.guard),
    person('visitor', [], pins.visitor),
  ],
}

/** How many seconds of a longer time pass one by one, those at its end. */
const watched = 20

/** A controller in that building, which can be killed and started again. */
export async function openBuilding(changes: object = {}) {
  const folder = makeFolder()
  const platform = new ManualPlatform(monday)
  let edge = startEdge(platform, folder.path)
  let feeder = new Feeder(edge.device)
  edge.agent.start()
  await feeder.snapshot({ ...slice, ...changes } as never)
  edge.synchronize(monday)

  const building = {
    platform,
    get edge() {
      return edge
    },
    feed: (put: object, remove: Record<string, string[]> = {}) => feeder.delta(put as SliceRows, remove),
    /** Moves the time, and waits until all doors are driven and everything is written. */
    async pass(seconds: number): Promise<void> {
      if (seconds > watched) await platform.leap(seconds - watched)
      await edge.station.doors.settled()
      await platform.advance(Math.min(seconds, watched))
      await edge.station.doors.settled()
    },
    /** Returns the orders since the last call, by door. */
    async driven(): Promise<string[]> {
      await edge.station.doors.settled()
      const orders = edge.driver.done.splice(0).map(({ gadget_id, action_id }) => [gadget_id, action_id])
      const byDoor = orders.sort(([a = ''], [b = '']) => (a === b ? 0 : a < b ? 1 : -1))
      return byDoor.map(([id = '', action]) => `${id.slice(4)} ${action}`)
    },
    async journal<Type extends JournalEvent['type']>(type: Type) {
      await edge.station.doors.settled()
      const events = await edge.storage.readJournal(0, 1000)
      return events.filter((event): event is Extract<JournalEvent, { type: Type }> => event.type === type)
    },
    async modes(): Promise<string[]> {
      const events = await building.journal('mode')
      return events.map(({ gadget_id, mode, source }) => `${gadget_id.slice(4)} ${mode} ${source}`)
    },
    /** Returns the reason of a denial, or `use`. */
    async enter(pin: string, code = ''): Promise<string | undefined> {
      const [event] = (await edge.type(`${code}${pin}#`)).slice(-1)
      return event?.type === 'denial' ? event.reason : event?.type
    },
    /** Ends the process at once and starts another one. `wall`: the machine was off, and this is its clock now. */
    async kill(wall?: number): Promise<void> {
      platform.forgetTimers()
      await edge.storage.close()
      building.restart(wall)
    },
    restart(wall?: number): void {
      if (wall !== undefined) platform.reboot(wall)
      const { version, hash } = edge.device.intake.head ?? { version: 0, hash: '' }
      edge = startEdge(platform, folder.path)
      feeder = new Feeder(edge.device, version, hash)
      edge.agent.start()
    },
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
  return building
}
