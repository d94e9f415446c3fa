import { expect, test } from 'vitest'
import { rememberHeaders } from '../src/answers.ts'
import { answeredAt } from '../src/index.ts'

test('the time of an answer is that of its Date header, if that can be read', () => {
  const answerOf = (headers: Record<string, string>) => rememberHeaders({}, new Headers(headers))
  expect(answeredAt(answerOf({ date: 'Thu, 19 Nov 2026 04:05:06 GMT' }))).toBe('2026-11-19T04:05:06.000Z')
  for (const headers of [{}, { date: 'soon' }])
    expect(Math.abs(Date.parse(answeredAt(answerOf(headers))) - Date.now())).toBeLessThan(10_000)
})
