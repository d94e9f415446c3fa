import { afterEach, beforeEach, expect, test } from 'vitest'
import { hour, openBuilding, pins, rule, street } from './moded-doors.ts'

let building: Awaited<ReturnType<typeof openBuilding>>
const first_person = { member_group_ids: ['mg_guards'], early_seconds: 1800, before: 'controlled' }
const last_person_signal = { gadget_id: street.id, signal_id: 'leave' }

beforeEach(async () => {
  building = await openBuilding({ unlock_rules: [{ ...rule, first_person, last_person_signal }] })
})
afterEach(() => building[Symbol.asyncDispose]())

/** The controller starts at 7:00, the period at 8:00. */
const until = (time: number, from = 7) => building.pass((time - from) * hour)
const orders = async () => (await building.driven()).filter(order => order !== 'street open')

test('who comes early unlocks at the start, and a power loss changes nothing', async () => {
  await until(7.5)
  expect(await building.enter(pins.guard)).toBe('use')
  expect(await orders()).toEqual([])
  await building.kill()
  await until(8, 7.5)
  expect(await orders()).toEqual(['street hold'])
})

test('who comes late unlocks at once, and who is not of the group does not', async () => {
  await until(8.5)
  expect(await building.enter(pins.staff)).toBe('use')
  expect(await orders()).toEqual([])
  expect(await building.enter(pins.guard)).toBe('use')
  expect(await orders()).toEqual(['street hold'])
})

test('without anybody it stays closed, and each day waits anew', async () => {
  await until(18.5)
  expect(await orders()).toEqual([])
  await until(32, 18.5)
  await building.enter(pins.guard)
  expect(await orders()).toEqual(['street hold'])
  await until(57, 32)
  expect(await orders()).toEqual(['street secure'])
  expect(building.edge.station.doors.memory.arrivals).toEqual({})
})

test('the last person who leaves ends the period', async () => {
  await until(9)
  await building.enter(pins.guard)
  await building.pass(1)
  await building.edge.agent.reportSignal(street.id, 'leave')
  expect(await orders()).toEqual(['street hold', 'street secure'])
  await building.enter(pins.guard)
  expect(await orders()).toEqual([])
})

test('a door that is closed until then denies others', async () => {
  const closed = { ...first_person, before: 'closed' }
  await building.feed({ unlock_rules: [{ ...rule, first_person: closed }] })
  await until(8)
  expect(await building.enter(pins.staff)).toBe('supervisor_absent')
  expect(await building.enter(pins.guard)).toBe('use')
  expect(await building.enter(pins.staff)).toBe('use')
})

test('hardware that fails to let somebody in is no arrival', async () => {
  await until(9)
  building.edge.driver.fault = 'stuck_door'
  expect(await building.enter(pins.guard)).toBe('hardware_failed')
  building.edge.driver.fault = undefined
  await building.pass(20)
  expect(await orders()).toEqual([])
})
