import { describe, expect, test } from 'vitest'
import {
  countWrongEntry,
  type InputRule,
  idleKeypad,
  isKeypadPaused,
  type KeypadPause,
  type KeypadSetup,
  noKeypadPause,
  pressKey,
  pressKeys,
  tapCard,
} from '../src/index.ts'

const second = 1_000_000
const door = { gadget_id: 'gad_door', action_id: 'open' }
const gate = { gadget_id: 'gad_gate', action_id: 'raise' }
const light = { gadget_id: 'gad_light', action_id: 'on' }

const without: KeypadSetup = { input_rules: [], first_action: door }
const withDefault = setup({ code: '', ...door }, { code: '*1', ...gate }, { code: '#', ...light })
const withCodes = setup({ code: '1', ...door }, { code: '22', ...gate }, { code: '3#2', ...light })

function setup(...input_rules: InputRule[]): KeypadSetup {
  return { input_rules, first_action: door }
}

function type(device: KeypadSetup, keys: string) {
  return pressKeys(device, idleKeypad, keys, second).outcomes
}

function tapAfter(device: KeypadSetup, keys: string, later = 0) {
  const { state } = pressKeys(device, idleKeypad, keys, second)
  return tapCard(device, state, second + later).outcome
}

describe('without rules', () => {
  test.each(['1234', '00000000000000000000', '987654'])('PIN %s is for the first action', pin => {
    expect(type(without, `${pin}#`)).toEqual([{ type: 'pin', pin, target: door }])
  })
  test('a card is for the first action', () => {
    expect(tapAfter(without, '')).toEqual({ type: 'card', target: door })
  })
  test('PINs of mixed lengths follow each other', () => {
    expect(type(without, '1234#567890#').map(outcome => 'pin' in outcome && outcome.pin)).toEqual([
      '1234',
      '567890',
    ])
  })
  test('nothing happens before #', () => expect(type(without, '1234')).toEqual([]))
  test('# alone is nothing', () => expect(type(without, '###')).toEqual([]))
  test('* clears what was typed', () => {
    expect(type(without, '99*1234#')).toEqual([{ type: 'pin', pin: '1234', target: door }])
  })
  test('a device without gadgets knows nobody', () => {
    const bare = { input_rules: [], first_action: null }
    expect(type(bare, '1234#')).toEqual([{ type: 'unknown' }])
    expect(tapAfter(bare, '')).toEqual({ type: 'unknown' })
  })
})

describe('with a default rule', () => {
  test('digits are a PIN for it', () => {
    expect(type(withDefault, '1234#')).toEqual([{ type: 'pin', pin: '1234', target: door }])
  })
  test('a code and a PIN', () => {
    expect(type(withDefault, '*14321#')).toEqual([{ type: 'pin', pin: '4321', target: gate }])
  })
  test('a code made of the ending key', () => {
    expect(type(withDefault, '#4321#')).toEqual([{ type: 'pin', pin: '4321', target: light }])
  })
  test('a card alone, after a code, after digits, after half a code', () => {
    expect(tapAfter(withDefault, '')).toEqual({ type: 'card', target: door })
    expect(tapAfter(withDefault, '*1')).toEqual({ type: 'card', target: gate })
    expect(tapAfter(withDefault, '*199')).toEqual({ type: 'card', target: gate })
    expect(tapAfter(withDefault, '*')).toEqual({ type: 'unknown' })
  })
  test('a code without a PIN is nothing', () => expect(type(withDefault, '*1#')).toEqual([]))
  test('a code nobody has is reported once, at its end', () => {
    expect(type(withDefault, '*91234')).toEqual([])
    expect(type(withDefault, '*91234#')).toEqual([{ type: 'unknown' }])
    expect(type(withDefault, '*9123#1234#')).toEqual([
      { type: 'unknown' },
      { type: 'pin', pin: '1234', target: door },
    ])
  })
  test('* begins a code in the middle of a PIN', () => {
    expect(type(withDefault, '99*14321#')).toEqual([{ type: 'pin', pin: '4321', target: gate }])
  })
})

describe('with codes only', () => {
  test('each code has its target', () => {
    expect(type(withCodes, '11234#')).toEqual([{ type: 'pin', pin: '1234', target: door }])
    expect(type(withCodes, '221234#')).toEqual([{ type: 'pin', pin: '1234', target: gate }])
    expect(type(withCodes, '3#21234#')).toEqual([{ type: 'pin', pin: '1234', target: light }])
  })
  test('no code and no default rule: unknown', () => {
    expect(type(withCodes, '4567#')).toEqual([{ type: 'unknown' }])
    expect(type(withCodes, '2#')).toEqual([{ type: 'unknown' }])
    expect(tapAfter(withCodes, '')).toEqual({ type: 'unknown' })
    expect(tapAfter(withCodes, '2')).toEqual({ type: 'unknown' })
  })
  test('a PIN may begin like a code', () => {
    expect(type(withCodes, '11111#')).toEqual([{ type: 'pin', pin: '1111', target: door }])
  })
})

describe('time', () => {
  const press = (gap: number) => {
    const first = pressKeys(without, idleKeypad, '12', second).state
    const last = pressKey(without, first, '3', second + gap).state
    return pressKey(without, last, '#', second + gap).outcome
  }
  test('a key just before 10 s goes on', () => expect(press(10 * second - 1)).toMatchObject({ pin: '123' }))
  test('a key at 10 s begins anew', () => expect(press(10 * second)).toMatchObject({ pin: '3' }))
  test('a clock that was set back begins anew', () => expect(press(-1)).toMatchObject({ pin: '3' }))
  test('a card 10 s after a code is for the default rule', () => {
    expect(tapAfter(withDefault, '*1', 10 * second - 1)).toEqual({ type: 'card', target: gate })
    expect(tapAfter(withDefault, '*1', 10 * second)).toEqual({ type: 'card', target: door })
  })
  test('endless keys do not fill the memory', () => {
    expect(pressKeys(without, idleKeypad, '1'.repeat(1000), second).state.keys.length).toBe(128)
  })
})

describe('wrong PINs', () => {
  const wrong = (pause: KeypadPause, ...times: number[]) =>
    times.reduce((state, time) => countWrongEntry(state, time * second), pause)

  test('five in 60 s pause for 30 s', () => {
    const pause = wrong(noKeypadPause, 0, 10, 20, 30, 60)
    expect(isKeypadPaused(pause, 90 * second - 1)).toBe(true)
    expect(isKeypadPaused(pause, 90 * second)).toBe(false)
  })
  test('five in more than 60 s do not', () => {
    expect(isKeypadPaused(wrong(noKeypadPause, 0, 10, 20, 30, 61), 61 * second)).toBe(false)
  })
  test('pauses double up to 5 minutes', () => {
    let pause = noKeypadPause
    const lengths = Array.from({ length: 6 }, () => {
      const begin = pause.until / second
      pause = wrong(pause, begin, begin, begin, begin, begin)
      return pause.until / second - begin
    })
    expect(lengths).toEqual([30, 60, 120, 240, 300, 300])
  })
  test('an hour after a pause the next is short again', () => {
    const pause = wrong(noKeypadPause, 0, 0, 0, 0, 0)
    expect(wrong(pause, 3629, 3629, 3629, 3629, 3629).length).toBe(60 * second)
    expect(wrong(pause, 3630, 3630, 3630, 3630, 3630).length).toBe(30 * second)
  })
  test.each([0.5, 15, 60, 180])('who tries every %d s meets the budgets of hour and day', every => {
    const counts = { first_hour: 0, first_day: 0, second_day: 0 }
    let pause = noKeypadPause
    for (let at = 0; at < 48 * 3600; at = Math.max(at + every, pause.until / second)) {
      if (at < 3600) counts.first_hour++
      if (at < 24 * 3600) counts.first_day++
      else counts.second_day++
      pause = wrong(pause, at)
      expect(pause.until / second - at).toBeLessThanOrEqual(900)
    }
    expect(counts.first_hour).toBeLessThanOrEqual(31)
    expect(counts.first_day).toBeLessThanOrEqual(148)
    expect(counts.second_day).toBeLessThanOrEqual(96)
  })
  test('a day later the budgets are whole again', () => {
    let pause = noKeypadPause
    for (let hour = 0; hour < 20; hour++)
      pause = wrong(pause, hour * 3600, hour * 3600 + 1000, hour * 3600 + 2000, hour * 3600 + 3000)
    const later = wrong(pause, 44 * 3600)
    expect(isKeypadPaused(later, 44 * 3600 * second)).toBe(false)
  })
  test('while others guess all over the site, the first wrong one costs five minutes', () => {
    const pause = countWrongEntry(noKeypadPause, 0, true)
    expect(pause.until).toBe(300 * second)
  })
  test('a paused keypad counts nothing, and the state survives being written down', () => {
    const pause = wrong(noKeypadPause, 0, 0, 0, 0, 0)
    expect(wrong(pause, 29, 29, 29, 29, 29)).toEqual(pause)
    expect(JSON.parse(JSON.stringify(pause))).toEqual(pause)
  })
  test('a pause set by a clock that ran ahead ends when the clock is right', () => {
    const ahead = 10 * 24 * 3600
    const pause = wrong(noKeypadPause, ...Array.from({ length: 5 }, () => ahead))
    expect(isKeypadPaused(pause, ahead * second)).toBe(true)
    expect(isKeypadPaused(pause, 0)).toBe(false)
  })
})
