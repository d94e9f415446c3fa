import { expect, test } from 'vitest'
import { plainWords } from '../../packages/web/console/src/parts/plain-words.ts'

test('messages of the API are put into the words of the console', () => {
  expect(plainWords('ends_at 2026-11-14T09:30:00.000000Z must be after starts_at')).toMatch(
    /^the end 1\d Nov 2026, \d\d:\d\d must be after the start$/,
  )
  expect(plainWords('member.ends_at must be after member.starts_at')).toBe('the end must be after the start')
  expect(plainWords('name must be at most 255 characters')).toBe('name must be at most 255 characters')
  expect(plainWords('held_open_seconds must be an integer from 5 to 86400, not 3')).toBe(
    'held open seconds must be an integer from 5 to 86400, not 3',
  )
  expect(plainWords('member mem_06gz293nn1zc3bdx2050 is deleted')).toContain('mem_06gz293nn1zc3bdx2050')
})

/** In the source, texts are in English: the build puts them into the language. */
test.each([
  ['name must be a string of 1 to 255 characters, not ""', '1 to 255 characters.'],
  ['door.held_open_seconds must be an integer from 5 to 86400, not 3', 'A number from 5 to 86400.'],
  ['pin must be 4 to 20 digits, not "12"', '4 to 20 digits.'],
  [
    'too many PINs of 4 digits are in use for another one to be safe; use 6 digits',
    /of 4 digits .* Take 6 digits/,
  ],
  ['hardware_id is already used by another device of the organization', 'This is in use already.'],
  ['until must be in the future, not 2020-01-01T00:00:00Z', 'This must be in the future.'],
  ['permissions: member_group_id would make group mg_1 inherit from itself', /inherit from itself/],
  ['an organization can have 100 tags, and this one has reached that quota', 'At most 100 are allowed.'],
  ['something that nobody has thought of', 'The service did not accept this.'],
])('for languages that the API does not speak, %s is said with its values', (message, said) => {
  expect(plainWords(message, 'de')).toMatch(said)
})
