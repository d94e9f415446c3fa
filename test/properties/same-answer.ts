import { expect } from 'vitest'
import type { Answer, Ask, Question } from './ask.ts'

/** Headers that differ from one request to the next whatever is asked. */
const passing = /^(x-request-id|date|ratelimit-.*|connection|keep-alive)$/

/** Asks twice, about something of others and about something that never was: not a byte may tell them apart. */
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

/** What the caller itself said comes back in messages; nothing else may differ. */
export function comparable({ status, headers, text }: Answer, value: string) {
  const kept = [...headers].filter(([name]) => !passing.test(name))
  return { status, headers: Object.fromEntries(kept), text: text.replaceAll(value, '<value>') }
}
