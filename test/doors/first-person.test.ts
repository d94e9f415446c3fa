import { expect, test } from 'vitest'
import { pins, rule, slice, street } from '../../packages/edge/test/moded-doors.ts'
import { startOn } from './controller.ts'

/** Twelve zones with changes of clocks: at midnight, by half an hour, on both halves of the earth. */
const zones = [
  'Africa/Cairo',
  'America/Havana',
  'America/Los_Angeles',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Jerusalem',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Europe/London',
  'Europe/Madrid',
  'Pacific/Auckland',
] as const

const hour = 3600
const daily = (...ranges: [number, number][]) =>
  Array.from({ length: 7 }, () => ({
    ranges: ranges.map(([start, end]) => ({ start: start * hour, end: end * hour })),
  }))

/** Returns the local dates of the next two changes of clocks. */
function changesOf(zone: string): Temporal.PlainDate[] {
  const start = Temporal.ZonedDateTime.from(`2026-01-15T12:00[${zone}]`)
  const first = start.getTimeZoneTransition('next')
  const second = first?.getTimeZoneTransition('next')
  return [first, second].map(change => {
    if (!change) throw new Error(`${zone} has no changes of clocks`)
    return change.subtract({ seconds: 1 }).toPlainDate()
  })
}

function instantOf(zone: string, day: Temporal.PlainDate, time: string): number {
  return day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds * 1000
}

/** Starts a controller in the evening of the day before, whose door waits for the first person of each period. */
async function doorIn(zone: string, day: Temporal.PlainDate, weekdays: ReturnType<typeof daily>) {
  const before = instantOf(zone, day.subtract({ days: 1 }), '20:00')
  const first_person = { member_group_ids: ['mg_guards'], early_seconds: hour / 2, before: 'controlled' }
  const controller = await startOn(before, {
    ...slice,
    sites: [{ id: 'site_a', timezone: zone }],
    schedules: [{ id: 'sch_day', weekdays }],
    unlock_rules: [{ ...rule, first_person }],
  })
  controller.synchronize(before)
  return {
    ...controller,
    clock: (time: string, days = 0) => controller.at(instantOf(zone, day.add({ days }), time)),
    come: () => controller.type(`${pins.guard}#`),
  }
}

/** The days of changes, and the days after them. */
const daysOf = (zone: string) => changesOf(zone).flatMap(day => [day, day.add({ days: 1 })])

test.each(zones)('in %s: early, late, nobody, and each period anew', async zone => {
  for (const day of daysOf(zone)) {
    const door = await doorIn(zone, day, daily([8, 12], [13, 18]))
    await door.clock('07:30')
    expect(await door.come()).toMatchObject([{ type: 'use' }])
    expect(await door.clock('07:59:59')).toEqual(['open'])
    expect(await door.clock('08:00')).toEqual(['hold'])
    expect(await door.clock('12:00')).toEqual(['secure'])
    expect(await door.clock('13:00')).toEqual([])
    expect(await door.openOnline(street.id)).toBe('done')
    expect(await door.clock('13:30')).toEqual(['open'])
    await door.come()
    expect(await door.clock('13:30:01')).toEqual(['open', 'hold'])
    expect(await door.clock('18:00')).toEqual(['secure'])
    expect(await door.clock('08:00', 1)).toEqual([])
    expect(await door.clock('17:59', 1)).toEqual([])
  }
})

test.each(zones)('in %s: the ranges 22–24 and 0–6 are one period', async zone => {
  for (const day of daysOf(zone)) {
    const door = await doorIn(zone, day, daily([0, 6], [22, 24]))
    await door.clock('21:45', -1)
    await door.come()
    expect(await door.clock('22:00', -1)).toEqual(['open', 'hold'])
    expect(await door.clock('05:59:59')).toEqual([])
    expect(await door.clock('06:00')).toEqual(['secure'])
    expect(await door.clock('23:00')).toEqual([])
  }
})
