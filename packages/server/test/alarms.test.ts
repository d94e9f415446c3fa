import { addSeconds } from '@gatehouse-access/core'
import { describe, expect, test } from 'vitest'
import type { AlarmRow } from '../src/alarms/alarm-row.ts'
import { apart } from '../src/alarms/condition.ts'
import { addOpening, type Flapping, isFlapping, quietAt } from '../src/alarms/flapping.ts'
import { limitsOf } from '../src/alarms/following/frequent-denials.ts'
import { isTaken, judge } from '../src/alarms/judge.ts'
import { delayOf, isWanted, type Rule, rulesFor, severityOf } from '../src/alarms/rules.ts'

const noon = '2026-11-17T12:00:00.000000Z'
const at = (seconds: number) => addSeconds(noon, seconds)

const row: AlarmRow = {
  id: 'alm_1',
  type: 'door_held',
  severity: 'warning',
  state: 'open',
  is_over: false,
  ended_at: null,
  site_id: null,
  device_id: null,
  gadget_id: null,
  member_id: null,
  emergency_id: null,
  webhook_id: null,
  calendar_id: null,
  occurrence_count: 1,
  last_occurred_at: noon,
  is_flapping: false,
  acknowledged_at: null,
  acknowledged_by_user_id: null,
  snoozed_until: null,
  alarm_rule_ids: [],
  cause_alarm_id: null,
  is_late: false,
  is_drill: false,
  in_maintenance: false,
  condition_key: 'door_held:gad_1',
  closes_at: null,
  flapping: null,
}
const over = { ...row, is_over: true, ended_at: at(60) }

test.each([
  ['no alarm', undefined, 0, 'create'],
  ['on', row, 10, 'nothing'],
  ['over, this beginning is known', over, 0, 'nothing'],
  ['over and open', over, 86_400, 'reopen'],
  ['over and acknowledged', { ...over, state: 'acknowledged' }, 86_400, 'reopen'],
  ['closed, 5 minutes after the end', { ...over, state: 'closed' }, 360, 'reopen'],
  ['closed, later', { ...over, state: 'closed' }, 361, 'create'],
  ['closed by hand while it was on, soon', { ...row, state: 'closed' }, 300, 'reopen'],
  ['closed by hand while it was on, later', { ...row, state: 'closed' }, 301, 'create'],
  ['flapping and on', { ...row, is_flapping: true, flapping: { openings: [noon] } }, 10, 'nothing'],
  [
    'flapping and over',
    { ...row, is_flapping: true, flapping: { openings: [noon], over_at: at(5) } },
    10,
    'reopen',
  ],
] as const)('a condition that begins: %s', (_name, last, seconds, judged) => {
  expect(judge(last, { started_at: at(seconds) })).toBe(judged)
})

test('who has an alarm keeps it if it soon begins again, or while it is snoozed', () => {
  const taken = { ...over, state: 'acknowledged' } as const
  expect(isTaken(over, at(100))).toBe(false)
  expect(isTaken(taken, at(360))).toBe(true)
  expect(isTaken(taken, at(361))).toBe(false)
  expect(isTaken({ ...taken, snoozed_until: at(7200) }, at(7199))).toBe(true)
})

describe('flapping', () => {
  const open = (times: readonly number[]) =>
    times.reduce<Flapping | undefined>((known, time) => addOpening(known, noon, at(time)), undefined)

  test.each([
    ['6 openings in 10 minutes', [100, 200, 300, 400, 599], true],
    ['5 openings in 10 minutes, and one later', [100, 200, 300, 400, 600], false],
    ['the window slides', [500, 590, 680, 770, 860, 950], true],
  ])('%s', (_name, times, is) => {
    expect(isFlapping(open(times) ?? { openings: [] })).toBe(is)
  })

  test('it is quiet 10 minutes after the last time that it began or ended', () => {
    expect(quietAt({ openings: [noon, at(10)] })).toBe(at(610))
    expect(quietAt({ openings: [noon, at(10)], over_at: at(30) })).toBe(at(630))
  })
})

test('what is told of one condition twice is followed one after the other', () => {
  const told = ['a', 'b', 'a', 'c', 'b', 'b'].map(condition_key => ({ condition_key }))
  const keys = [...apart(told)].map(part => part.map(({ condition_key }) => condition_key).join(''))
  expect(keys).toEqual(['ab', 'acb', 'b'])
})

describe('rules', () => {
  const rule: Rule = {
    id: 'alr_1',
    types: ['device_offline'],
    severity: null,
    delay_seconds: null,
    thresholds: {},
    is_everywhere: true,
    ids: [],
  }
  const place = {
    condition_key: 'device_offline:dev_1',
    site_id: 'site_1',
    device_id: 'dev_1',
    ids: ['site_1', 'dev_1'],
    gateway_device_id: null,
    status: null,
    is_deleted: false,
    in_maintenance: false,
  }
  const named = (...ids: string[]) => ({ ...rule, is_everywhere: false, ids })

  test('take up their types at their places', () => {
    const rules = [rule, named('site_1'), named(), { ...rule, types: ['door_held'] }]
    expect(rulesFor(rules, 'device_offline', place)).toEqual([rules[0], rules[1]])
    expect(rulesFor([named('site_1')], 'device_offline', undefined)).toEqual([])
  })

  test('the most severe and the most impatient count; without rules, the type', () => {
    const strict = { ...rule, severity: 'critical', delay_seconds: 60 } as const
    const lax = { ...rule, severity: 'info', delay_seconds: 3600 } as const
    const condition = { type: 'device_offline' } as const
    expect([severityOf([], condition), delayOf([], 'device_offline')]).toEqual(['warning', 300])
    expect([severityOf([lax], condition), delayOf([lax], 'device_offline')]).toEqual(['info', 3600])
    expect([severityOf([lax, rule], condition), delayOf([lax, rule], 'device_offline')]).toEqual([
      'warning',
      300,
    ])
    expect([severityOf([lax, strict], condition), delayOf([rule, strict], 'device_offline')]).toEqual([
      'critical',
      60,
    ])
  })

  test('some types are alarms only where a rule asks for them', () => {
    expect(isWanted([], 'door_not_opened')).toBe(false)
    expect(isWanted([rule], 'door_not_opened')).toBe(true)
    expect(isWanted([], 'door_held')).toBe(true)
  })
})

test('denials are counted once for each time that rules name', () => {
  const rules = [{ count: 5, seconds: 60 }, { count: 3, seconds: 60 }, { seconds: 600 }, {}]
  expect(limitsOf(rules.map(thresholds => ({ thresholds })))).toEqual([
    { count: 3, seconds: 60 },
    { count: 10, seconds: 600 },
    { count: 10, seconds: 300 },
  ])
  expect(limitsOf([])).toEqual([{ count: 10, seconds: 300 }])
})
