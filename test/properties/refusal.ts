import { type ErrorBody, errorTypes } from '@gatehouse-access/api'
import { expect } from 'vitest'
import type { Answer, Question } from './ask.ts'

/**
 * Expects an error of the catalog: 4xx, flat JSON, the right status for its type, a request id, and a
 * readable length.
 */
export function expectRefusal(question: Question, answer: Answer): ErrorBody {
  const told = describe(question, answer)
  expect(answer.status, told).toBeGreaterThanOrEqual(400)
  expect(answer.status, told).toBeLessThan(500)
  const body: ErrorBody = JSON.parse(answer.text)
  expect(Object.keys(body), told).toEqual(['type', 'message', 'args'])
  expect(errorTypes[body.type]?.status, told).toBe(answer.status)
  expect(
    Object.values(body.args).every(value => typeof value === 'string' && value.length < 300),
    told,
  ).toBe(true)
  expect(body.message.length, told).toBeLessThan(3000)
  expect(answer.headers.get('x-request-id'), told).toMatch(/^req_\w+$/)
  expect(answer.headers.get('content-type'), told).toBe('application/json; charset=utf-8')
  return body
}

function describe({ method, path, body, headers }: Question, { status, text }: Answer): string {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers ?? {})} ${sent?.slice(0, 500)} → ${status} ${text.slice(0, 500)}`
}
