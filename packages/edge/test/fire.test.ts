import { fromMicroseconds } from '@gatehouse-access/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fire, hour, lockdown, monday, openBuilding, pins, street } from './moded-doors.ts'

let building: Awaited<ReturnType<typeof openBuilding>>
const site = (changes: object = {}) => ({ id: 'site_a', timezone: 'UTC', fire: { ...fire, ...changes } })
const report = (state: string) => building.edge.agent.reportState(fire.source_gadget_id, state)
const at = (seconds: number) => fromMicroseconds(monday + seconds * 1e6)

beforeEach(async () => {
  building = await openBuilding({ sites: [site({ reset_at: at(-hour) })] })
  await report('quiet')
})
afterEach(() => building[Symbol.asyncDispose]())

test('releases the doors that lock people in, and only those, also in a lockdown', async () => {
  await building.feed({ emergencies: [lockdown()] })
  await building.driven()
  await report('alarm')
  expect(await building.driven()).toEqual(['magnet hold'])
  expect(await building.enter(pins.staff)).toBe('lockdown')
  expect(await building.journal('fire')).toMatchObject([{ site_id: 'site_a', state: 'on' }])
})

test('releases the doors that somebody chose', async () => {
  await building.feed({ sites: [site({ release_gadget_ids: [street.id] })] })
  await report('alarm')
  expect(await building.driven()).toEqual(['street hold', 'magnet hold'])
})

test('is kept when the contact clears and over a power loss, until somebody resets it', async () => {
  await report('alarm')
  await report('quiet')
  await building.driven()
  await building.kill(monday)
  expect(await building.driven()).toEqual(['magnet hold'])
  building.edge.synchronize(monday + 60e6)
  await building.feed({ sites: [site({ since: at(0), reset_at: at(-hour) })] })
  expect(await building.driven()).toEqual([])
  await building.feed({ sites: [site({ reset_at: at(120) })] })
  expect(await building.driven()).toEqual(['magnet secure'])
  expect(await building.journal('fire')).toMatchObject([{ state: 'on' }, { state: 'cleared' }])
})

test('is not reset while the contact is on, nor by a reset of an earlier fire', async () => {
  await report('alarm')
  await building.driven()
  await building.feed({ sites: [site({ reset_at: at(60) })] })
  await building.pass(10)
  expect(await building.driven()).toEqual([])
  await report('quiet')
  await building.feed({ sites: [site({ reset_at: at(-10 * hour) })] })
  expect(await building.driven()).toEqual([])
  await building.feed({ sites: [site({ reset_at: at(90) })] })
  expect(await building.driven()).toEqual(['magnet secure'])
})

test('a contact that is in that state when the input is configured counts', async () => {
  await building.feed({ sites: [{ id: 'site_a', timezone: 'UTC' }] })
  await report('alarm')
  expect(await building.driven()).toEqual([])
  await building.feed({ sites: [site()] })
  expect(await building.driven()).toEqual(['magnet hold'])
})

test('who asks to leave is let out during a fire too', async () => {
  await report('alarm')
  await building.driven()
  await building.edge.agent.reportSignal('gad_magnet', 'exit')
  expect((await building.driven())[0]).toBe('magnet open')
})
