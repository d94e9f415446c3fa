import { expect } from 'vitest'
import type { Answer, Ask, Question } from './ask.ts'

/** Headers that differ between any two requests. */
const passing = /^(x-request-id|date|ratelimit-.*|connection|keep-alive)$/

/**
 * Sends two requests, about an object of another organization and about one that does not exist. The
 * responses must be identical byte for byte.
 */
export async function expectSameAnswer(
  ask: Ask,
  question: (value: string) => Question,
  theirs: string,
  never: string,
): Promise<Answer> {
  const [first, second] = [await ask(question(theirs)), await ask(question(never))]
  const { method, path } = question(theirs)
  expect(comparable(first, theirs), `${method} ${path}`).toEqual(comparable(second, never))
  return first
}

/** Error messages echo the caller's input. Nothing else may differ. */
export function comparable({ status, headers, text }: Answer, value: string) {
  const kept = [...headers].filter(([name]) => !passing.test(name))
  return { status, headers: Object.fromEntries(kept), text: text.replaceAll(value, '<value>') }
}
