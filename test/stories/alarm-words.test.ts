import { expect, test } from 'vitest'
import { type RuleValues, toValues } from '../../packages/web/console/src/alarm-rules/rule-values.ts'
import { type Names, ruleSentence } from '../../packages/web/console/src/alarm-rules/sentence.ts'
import type { Alarm } from '../../packages/web/console/src/alarms/alarm.ts'
import { fold } from '../../packages/web/console/src/alarms/fold.ts'

const hour = 3600
const night = [
  { start: 0, end: 8 * hour },
  { start: 18 * hour, end: 24 * hour },
]
const nobody: Names = { recipient: key => key, sites: [], gadgets: [], devices: [], tags: [] }

function say(rule: Partial<RuleValues>, names: Partial<Names> = {}): string {
  const parts = ruleSentence({ ...toValues(undefined), ...rule }, { ...nobody, ...names })
  return parts.map(part => (typeof part === 'string' ? part : part.name)).join('')
}

test('a rule is a sentence that somebody would say', () => {
  expect(say({})).toBe('Tell somebody when something happens.')
  const held = { notify: ['Ana', 'ntfy doors'], types: ['door_held' as const] }
  const madrid = { sites: ['Madrid'] }
  expect(
    say(
      { ...held, delay_seconds: 60, schedule_id: 'nights', repeat_seconds: 600 },
      { ...madrid, schedule: Array(7).fill({ ranges: night }) },
    ),
  ).toBe(
    'Tell Ana and ntfy doors when a door at Madrid is held open for a minute, every day 18:00 to 08:00, again every 10 minutes.',
  )
  expect(say(held, { gadgets: ['Front door', 'Back door'] })).toBe(
    'Tell Ana and ntfy doors when Front door or Back door is held open.',
  )
  const many = { notify: ['Ana'], types: ['door_forced', 'door_held', 'device_offline'] as const }
  expect(say({ ...many, types: [...many.types] }, { ...madrid, tags: ['VIP'] })).toBe(
    'Tell Ana when, at Madrid or tagged VIP, a door is forced open or held open, or a device is offline.',
  )
  const steps = [{ after_seconds: hour, notify: ['Ben'] }]
  expect(say({ notify: ['Ana'], types: ['keypad_paused'], repeat_seconds: hour, escalate: steps })).toBe(
    'Tell Ana when a keypad pauses after wrong codes, again every hour; after an hour also Ben.',
  )
})

test('alarms are folded under their cause, even one that is not in the list, and the gravest come first', () => {
  const alarm = (id: string, parts: Partial<Alarm> = {}) =>
    ({ id, severity: 'warning', is_over: false, started_at: `2026-11-17T08:0${id}:00Z`, ...parts }) as Alarm
  const gateway = alarm('1')
  const explained = [alarm('2', { cause_alarm: gateway }), alarm('3', { cause_alarm: gateway })]
  const forced = alarm('4', { severity: 'critical', is_over: true })
  const tampered = alarm('0', { severity: 'critical' })
  const shown = fold([...explained, alarm('5'), forced, tampered])
  expect(shown.map(({ head, explained }) => [head.id, explained.map(({ id }) => id)])).toEqual([
    ['0', []],
    ['4', []],
    ['5', []],
    ['1', ['2', '3']],
  ])
})
