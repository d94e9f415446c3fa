import { describe, expect, test } from 'vitest'
import {
  clearable,
  flag,
  integer,
  list,
  mergeMetadata,
  metadata,
  metadataChange,
  nullable,
  optional,
  required,
  shape,
  text,
} from '../src/index.ts'
import { refusalOf, takes } from './refusals.ts'

const range = shape({ start: required(integer(0, 9), ''), note: nullable(text(3), '') })
const ranges = list(range, { max: 2 })

describe('lists and shapes', () => {
  test('errors name the field as a path', () => {
    expect(refusalOf(ranges, [{ start: 1 }, { start: 'x' }], 'weekdays.0.ranges')).toEqual([
      'weekdays.0.ranges.1.start',
      'weekdays.0.ranges.1.start must be an integer from 0 to 9, not "x"',
    ])
    expect(refusalOf(ranges, [{}], 'ranges')).toEqual(['ranges.0.start', 'ranges.0.start is required'])
    expect(refusalOf(ranges, [{ start: 1, ende: 2 }], 'ranges')).toEqual([
      'ranges.0.ende',
      'unknown field ranges.0.ende; allowed are: start, note',
    ])
    expect(refusalOf(ranges, [[]], 'ranges')?.[0]).toBe('ranges.0')
  })

  test('counts', () => {
    expect(refusalOf(ranges, [1, 2, 3], 'a')).toEqual([
      'a',
      'a must be an array of at most 2 entries, not an array of 3',
    ])
    expect(refusalOf(list(flag, { min: 7, max: 7 }), [], 'a')?.[1]).toMatch(/exactly 7 entries/)
    expect(refusalOf(list(flag, { max: 7, unique: true }), [true, true], 'a')?.[1]).toMatch(/without repeats/)
  })

  test('null is absence, a value of its own, or refused', () => {
    const all = shape({ a: optional(flag, ''), b: nullable(flag, ''), c: clearable(flag, '') })
    expect(all.parse({ a: null, b: null, c: null }, '')).toEqual({ c: null })
    expect(refusalOf(shape({ a: required(flag, '') }), { a: null }, '')?.[0]).toBe('a')
  })

  test('what the prototype holds is not given, and what looks like it is unknown', () => {
    const own = shape({ constructor: optional(flag, '') })
    expect(own.parse({}, '')).toEqual({})
    expect(takes(own, JSON.parse('{"__proto__": {"constructor": true}}'))).toBe(false)
  })

  test('a long unknown name is not repeated whole', () => {
    const told = refusalOf(range, { start: 1, ['x'.repeat(1e6)]: 1 }, '')
    expect(told?.[0]).toHaveLength(65)
    expect(told?.[1].length).toBeLessThan(200)
  })
})

describe('metadata', () => {
  test('the limit counts UTF-8 bytes of keys and values together', () => {
    expect(takes(metadata, { k: 'x'.repeat(1023) })).toBe(true)
    expect(takes(metadata, { k: 'x'.repeat(1024) })).toBe(false)
    expect(takes(metadata, { é: 'é'.repeat(511) })).toBe(true)
    expect(takes(metadata, { é: 'é'.repeat(512) })).toBe(false)
    expect(takes(metadata, { '€': '€'.repeat(340) })).toBe(true)
    expect(takes(metadata, { '€': '€'.repeat(341) })).toBe(false)
    expect(takes(metadata, { '🚪': '🚪'.repeat(255) })).toBe(true)
    expect(refusalOf(metadata, { '🚪': '🚪'.repeat(256) }, 'metadata')).toEqual([
      'metadata',
      'metadata holds 1028 bytes of keys and values; at most 1024 are allowed',
    ])
  })

  test('strings to strings only', () => {
    for (const wrong of [
      null,
      [],
      'x',
      { a: 1 },
      { a: {} },
      { 'a\0': 'x' },
      { a: '\ud800' },
      JSON.parse('{"__proto__":"x"}'),
    ])
      expect(takes(metadata, wrong)).toBe(false)
    expect(metadata.parse({ constructor: 'x', '': '' }, '')).toEqual({ constructor: 'x', '': '' })
    expect(metadata.parse({ a: null, b: '' }, '')).toEqual({ b: '' })
  })

  test('an edit merges key by key; null removes; the limit counts after the merge', () => {
    expect(takes(metadataChange, { a: null })).toBe(true)
    expect(mergeMetadata({ a: '1', b: '2' }, { a: null, c: '3' })).toEqual({ b: '2', c: '3' })
    const full = { a: 'x'.repeat(1000) }
    expect(() => mergeMetadata(full, { b: 'x'.repeat(100) })).toThrow(/1102 bytes/)
    expect(mergeMetadata(full, { a: null, b: 'x'.repeat(1000) })).toEqual({ b: 'x'.repeat(1000) })
  })
})
