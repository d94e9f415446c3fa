import { expect, test } from 'vitest'
import { problemWords } from '../../packages/web/console/src/imports/problem-words.ts'
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
  expect(plainWords('email must be an email address, not "ana_perez"')).toContain('"ana_perez"')
  expect(plainWords('member mem_06gz293nn1zc3bdx2050 is deleted')).toContain('mem_06gz293nn1zc3bdx2050')
})

/** In the source, texts are in English: the build puts them into the language. */
test.each([
  ['name must be a string of 1 to 255 characters, not ""', '1 to 255 characters.'],
  ['door.held_open_seconds must be an integer from 5 to 86400, not 3', 'A number from 5 to 86400.'],
  ["code '12' is used twice", 'This is there twice.'],
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

test.each([
  [
    '"31.02.2027" is not a time like 2026-11-14 15:00 or …',
    '"31.02.2027" is not a time. Write it like 2026-11-14 15:00.',
  ],
  ['No group is named "Nowhere": write its name or its ID', 'Nothing is named "Nowhere".'],
  ['"broken@" is not an email address of at most 254 characters', 'This is not an email address.'],
  [
    'The row has 5 cells, fewer than the 6 columns of the head line',
    'The row has 5 cells, and the head line 6 columns.',
  ],
  ['name of mem_1 cannot be changed', 'This cannot be changed: name.'],
  [
    '12 new members have no end, and access until somebody ends it: line 2, 3 and 10 more.',
    'New members without an end: 12. They have access until somebody ends it. See for example lines 2, 3.',
  ],
  ['nothing was imported: 2 of 9 rows are refused', 'Nothing was imported, because 2 of 9 rows are refused.'],
])('of a file, %s is said with its values', (problem, said) => {
  expect(problemWords(problem, 'de')).toBe(said)
})
