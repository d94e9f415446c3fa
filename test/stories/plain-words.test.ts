import { expect, test } from 'vitest'
import { plainWords } from '../../packages/web/console/src/parts/plain-words.ts'

test('messages of the API are put into the words of the console', () => {
  expect(plainWords('ends_at 2026-11-14T09:30:00.000000Z must be after starts_at')).toMatch(
    /^the end 1\d Nov 2026, \d\d:\d\d must be after the start$/,
  )
  expect(plainWords('member.ends_at must be after member.starts_at')).toBe('the end must be after the start')
  expect(plainWords('name must be at most 255 characters')).toBe('name must be at most 255 characters')
  expect(plainWords('unknown_thing is left')).toBe('unknown_thing is left')
})
