import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  choice,
  email,
  integer,
  localId,
  number,
  reference,
  text,
  timestamp,
  timezone,
  url,
} from '../src/index.ts'
import { refusalOf, takes } from './refusals.ts'

describe('text', () => {
  test('lengths count characters, not code units', () => {
    expect(takes(text(3), '🚪🚪🚪')).toBe(true)
    expect(takes(text(3), '🚪🚪🚪🚪')).toBe(false)
    expect(takes(text(8, { min: 2 }), '🚪')).toBe(false)
    expect(takes(text(3), '')).toBe(false)
    expect(takes(text(3, { min: 0 }), '')).toBe(true)
  })

  test('what the database and JSON cannot carry is refused', () => {
    for (const value of ['\0', 'a\0', '\ud800', '\udc00\ud800', 'a\udfff'])
      expect(takes(text(9), value)).toBe(false)
  })

  test('messages show the wrong value, but only a glimpse of a long one', () => {
    expect(refusalOf(text(3), 'four')).toEqual([
      'field',
      'field must be a string of 1 to 3 characters, not "four"',
    ])
    expect(refusalOf(text(3), 'x'.repeat(1e6))?.[1]).toMatch(/not a string of 1000000 characters$/)
    expect(refusalOf(text(3), [1, 2])?.[1]).toMatch(/not an array of 2$/)
    expect(refusalOf(text(3), { a: 1 })?.[1]).toMatch(/not an object$/)
  })

  test('a normalized value is what is answered', () => {
    expect(text(9, { normalize: value => value.toUpperCase() }).parse('ab', '')).toBe('AB')
  })
})

describe('timestamp', () => {
  test.each([
    ['2026-11-14T09:30:00Z', '2026-11-14T09:30:00.000000Z'],
    ['2026-11-14t09:30:00z', '2026-11-14T09:30:00.000000Z'],
    ['2026-11-14T09:30:00.1Z', '2026-11-14T09:30:00.100000Z'],
    ['2026-11-14T09:30:00.123456Z', '2026-11-14T09:30:00.123456Z'],
    ['2026-11-14T09:30:00.12345678901234567890Z', '2026-11-14T09:30:00.123456Z'],
    ['2026-11-14T09:30:00.999999999Z', '2026-11-14T09:30:00.999999Z'],
    ['2026-11-14T09:30:00+05:30', '2026-11-14T04:00:00.000000Z'],
    ['2026-11-14T09:30:00-00:00', '2026-11-14T09:30:00.000000Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s', (given, canonical) => {
    expect(timestamp.parse(given, '')).toBe(canonical)
  })

  test.each([
    '2026-11-14',
    '2026-11-14T09:30:00',
    '2026-11-14 09:30:00Z',
    '2026-11-14T09:30Z',
    '2026-11-14T09:30:00,5Z',
    '2026-11-14T09:30:00.Z',
    '2026-11-14T09:30:00+0530',
    '2026-11-14T09:30:00+24:00',
    '2026-11-14T24:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '0000-12-31T23:59:59Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-11-14T09:30:00Z[UTC]',
    ' 2026-11-14T09:30:00Z',
    `2026-11-14T09:30:00.${'1'.repeat(100)}Z`,
    '',
    1_794_000_000,
    null,
  ])('not %s', given => {
    expect(takes(timestamp, given)).toBe(false)
  })

  test('canonical text compares like time', () => {
    const instant = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const [x, y] = [a, b].map(value => {
          const exact = Temporal.Instant.fromEpochNanoseconds(value * 1000n)
          return timestamp.parse(exact.toString(), '') as string
        }) as [string, string]
        expect(x < y).toBe(a < b)
        expect(timestamp.parse(x, '')).toBe(x)
      }),
      { numRuns: 200 },
    )
  })
})

test('url', () => {
  for (const right of [
    'https://example.com',
    'HTTP://example.com:8080/a?b#c',
    'http://[::1]:80/',
    'https://münchen.example/ü',
  ])
    expect(takes(url, right), right).toBe(true)
  for (const wrong of [
    '',
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'http://',
    'http://user@example.com',
    'http:///a',
    'https://a b',
    `https://a/${'x'.repeat(2048)}`,
    'https://a/\0',
    1,
  ])
    expect(takes(url, wrong), String(wrong)).toBe(false)
})

test('email', () => {
  for (const right of ['a@b', 'guest+1@example.com', 'Ünal@example.com', `${'x'.repeat(242)}@example.com`])
    expect(takes(email, right), right).toBe(true)
  for (const wrong of [
    '',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    '<a@b>',
    'a@b,c@d',
    'a@b\n',
    `${'x'.repeat(243)}@example.com`,
  ])
    expect(takes(email, wrong), wrong).toBe(false)
})

test('timezone', () => {
  for (const zone of ['Europe/Madrid', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1'])
    expect(timezone.parse(zone, '')).toBe(zone)
  expect(timezone.parse('europe/madrid', '')).toBe('Europe/Madrid')
  // Whether a zone exists is for the zone data of the service to say.
  expect(timezone.parse('Europe/Nowhere', '')).toBe('Europe/Nowhere')
  for (const wrong of [
    '',
    '+01:00',
    '../Madrid',
    'Europe/Madrid ',
    'Europe//Madrid',
    'x'.repeat(1e6),
    1,
    null,
  ])
    expect(takes(timezone, wrong)).toBe(false)
})

test('numbers', () => {
  for (const wrong of ['4', 4.5, 3, 21, 1e308, -1e308, Number.NaN, true, null, [4]])
    expect(takes(integer(4, 20), wrong)).toBe(false)
  for (const wrong of ['4', 90.1, -90.1, 1e308, true, null, {}])
    expect(takes(number(-90, 90), wrong)).toBe(false)
  expect(number(-90, 90).parse(-90, '')).toBe(-90)
})

test('ids are of the right kind and shape', () => {
  const id = 'mem_06gxsxbfxce8k8ddw8hs'
  expect(takes(reference('member'), id)).toBe(true)
  for (const wrong of [
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    `me_${id.slice(4)}`,
    `mem_${'i'.repeat(20)}`,
    `${id}\n`,
    '',
    null,
  ])
    expect(takes(reference('member'), wrong)).toBe(false)
  expect(refusalOf(reference('member'), 'x')?.[1]).toBe('field must be a member id (mem_…), not "x"')
})

test('choices and local ids', () => {
  expect(refusalOf(choice('none', 'gps'), 'both')).toEqual([
    'field',
    'field must be one of none, gps, not "both"',
  ])
  expect(takes(localId, 'open_2')).toBe(true)
  for (const wrong of ['', 'Open', 'a-b', 'x'.repeat(65), 'open\n']) expect(takes(localId, wrong)).toBe(false)
})
