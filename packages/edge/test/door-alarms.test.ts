import { expect, test } from 'vitest'
import { monday, openBuilding, pins, street } from './moded-doors.ts'

const contact = { open_state_id: 'open', closed_state_id: 'closed', held_open_seconds: 30 }
const signals = [...street.signals, { id: 'tamper' }]
const gate = { ...street, signals, door: { ...street.door, ...contact, tamper_signal_id: 'tamper' } }
const siren = {
  ...street,
  id: 'gad_siren',
  actions: [{ id: 'on' }, { id: 'off' }],
  states: [],
  door: undefined,
}
const sounds = (['begin', 'end'] as const).map((source_alarm_event, index) => ({
  id: `gt_${index}`,
  site_id: 'site_a',
  source_type: 'alarm',
  source_gadget_id: gate.id,
  source_alarm_type: 'door_forced',
  source_alarm_event,
  target_gadget_id: siren.id,
  target_action_id: index === 0 ? 'on' : 'off',
}))

/** A building with a monitored door, whose contact was heard, and a service that takes in alarms. */
async function openWatched(changes: object = {}) {
  const building = await openBuilding({ gadgets: [gate, siren], triggers: sounds, ...changes })
  const watched = Object.assign(building, {
    state: (id: string, isReading = false) => building.edge.agent.reportState(gate.id, id, isReading),
    signal: (id: string) => building.edge.agent.reportSignal(gate.id, id),
    /** Beginnings and ends, in seconds since Monday morning. */
    async alarms(): Promise<string[]> {
      const events = await building.journal('alarm')
      return events.map(({ alarm_type, is_over, started_at, ended_at, occurred_at }) => {
        const [begun, ended, told] = [started_at, ended_at, occurred_at].map(
          time => (Date.parse(time ?? '') - monday / 1000) / 1000,
        )
        return is_over ? `${alarm_type} ${begun}-${ended} at ${told}` : `${alarm_type} ${begun} at ${told}`
      })
    },
  })
  building.edge.station.alarms.accept(true)
  await watched.state('closed')
  await building.pass(10)
  await building.driven()
  return watched
}

test('a door that nobody released is forced: told after 2 s, with its siren, until it closes', async () => {
  await using building = await openWatched()
  await building.state('open')
  await building.pass(1.9)
  expect(await building.alarms()).toEqual([])
  await building.pass(0.1)
  expect(await building.alarms()).toEqual(['door_forced 10 at 12'])
  expect(await building.driven()).toEqual(['siren on'])
  await building.pass(8)
  await building.state('closed')
  await building.pass(1)
  expect(await building.alarms()).toEqual(['door_forced 10 at 12', 'door_forced 10-20 at 20.3'])
  expect(await building.driven()).toEqual(['siren off'])
})

test('whoever is let in, or seen at the exit a little late, forces nothing', async () => {
  await using building = await openWatched()
  expect(await building.enter(pins.staff)).toBe('use')
  await building.pass(4)
  await building.state('open')
  await building.pass(3)
  await building.state('closed')
  await building.pass(20)
  await building.state('open')
  await building.pass(1.5)
  await building.signal('exit')
  await building.pass(3)
  await building.state('closed')
  await building.pass(3)
  expect(await building.alarms()).toEqual([])
  // The control: half a second later is too late.
  await building.state('open')
  await building.pass(2.5)
  await building.signal('exit')
  expect(await building.alarms()).toHaveLength(1)
})

test('a door that its rule leaves open is held from the turn, and so is one that is open at a start', async () => {
  await using building = await openWatched({
    unlock_rules: [
      { id: 'ur_0000000000000000000a', gadget_ids: [gate.id], schedule_id: 'sch_day', is_enabled: true },
    ],
  })
  const hours = 3600
  await building.pass(2 * hours - 10)
  await building.state('open')
  await building.pass(9 * hours)
  expect(await building.alarms()).toEqual([])
  await building.pass(40)
  expect(await building.alarms()).toEqual([`door_held ${11 * hours + 30} at ${11 * hours + 30}`])
  await building.state('closed')
  await building.pass(1)
  expect((await building.alarms()).slice(1)).toHaveLength(1)
})

test.each([
  ['the process ends', undefined],
  ['the power fails', monday],
])('alarms are kept when %s, and a door that is found open is held, never forced', async (_, wall) => {
  await using building = await openWatched()
  await building.state('open')
  await building.pass(5)
  await building.kill(wall)
  building.edge.synchronize(monday + 30e6)
  await building.pass(60)
  // It is still the same opening.
  expect(await building.alarms()).toEqual(['door_forced 10 at 12'])
  await building.state('closed')
  await building.pass(1)
  expect(await building.alarms()).toHaveLength(2)
  await building.kill(wall)
  building.edge.synchronize(monday + 120e6)
  await building.state('open')
  await building.pass(29)
  expect(await building.alarms()).toHaveLength(2)
  await building.pass(2)
  expect((await building.alarms())[2]).toContain('door_held')
})

test('a retained message says how the door is, not that somebody opened it', async () => {
  await using building = await openWatched()
  await building.state('open', true)
  await building.pass(5)
  expect(await building.alarms()).toEqual([])
})

test('a service that knows no alarms is told none, and those that are on once it does', async () => {
  await using building = await openWatched()
  building.edge.station.alarms.accept(false)
  await building.state('open')
  await building.pass(5)
  expect(await building.alarms()).toEqual([])
  expect(await building.driven()).toEqual(['siren on'])
  await building.kill()
  building.edge.station.alarms.accept(true)
  expect(await building.alarms()).toEqual(['door_forced 10 at 15'])
})

test('tampering is told once, and over when it is quiet', async () => {
  await using building = await openWatched()
  await building.signal('tamper')
  await building.pass(30)
  await building.signal('tamper')
  await building.pass(61)
  expect(await building.alarms()).toEqual(['door_tampered 10 at 10', 'door_tampered 10-100 at 100'])
})

test('a door that is held by an action, or has no contact any more, has no alarm', async () => {
  await using building = await openWatched()
  await building.edge.station.drive(gate.id, 'hold', Infinity)
  await building.pass(60)
  await building.state('open')
  await building.pass(60)
  expect(await building.alarms()).toEqual([])
  await building.edge.station.drive(gate.id, 'secure', Infinity)
  await building.pass(31)
  expect(await building.alarms()).toHaveLength(1)
  await building.feed({ gadgets: [{ ...gate, door: street.door }] })
  await building.pass(2)
  expect(await building.alarms()).toHaveLength(2)
})

test('people are let out, whatever the disk says about alarms', async () => {
  const electric = { ...gate, door: { ...gate.door, egress: 'electric' } }
  await using building = await openWatched({ gadgets: [electric, siren] })
  for (const alarms of [{}, { boot_id: 7, doors: { [gate.id]: {} } }, { doors: { gad_gone: null } }]) {
    await building.edge.device.recorder.write({ type: 'note', notes: { alarms: alarms as never } })
    await building.kill()
    await building.signal('exit')
    expect(await building.driven()).toEqual(['street open'])
    await building.state('open')
    await building.pass(3)
    await building.state('closed')
    await building.pass(1)
  }
  expect(await building.alarms()).toEqual([])
})
