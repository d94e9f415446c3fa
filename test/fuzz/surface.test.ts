import { type World, world } from '@gatehouse-access/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, Ask } from '../properties/ask.ts'
import { comparable } from '../properties/same-answer.ts'
import { type Names, type Neighbours, settleNeighbours } from './neighbours.ts'
import { anyDraft, type Draft } from './questions.ts'
import { sessionAsker } from './session-asker.ts'

/**
 * The minutes that `npm run soak -- <minutes> fuzz` asks for. By default, a few hundred requests, always the
 * same.
 */
const minutes = Number(process.env.GATEHOUSE_FUZZ_MINUTES ?? 0)

let w: World
let neighbours: Neighbours
let asks: Record<Draft['surface'], Ask>

beforeAll(async () => {
  w = await world({ is_reachable: true, log_level: 'silent' })
  neighbours = await settleNeighbours(w)
  asks = { api: neighbours.ours.ask, account: await sessionAsker(neighbours.ours.visitor) }
})
afterAll(() => w[Symbol.asyncDispose]())

test('no request makes the service fail, and none tells of the other organization', async () => {
  const counts: Record<number, number> = {}
  const property = fc.asyncProperty(anyDraft(neighbours), async draft => {
    const nobody = neighbours.never()
    const never = await put(draft, nobody)
    counts[never.status] = (counts[never.status] ?? 0) + 1
    expect(never.status, told(draft, never)).toBeLessThan(500)
    // A successful write cannot be repeated identically, and would store their names with us. A rejected one
    // has changed nothing.
    if (!namesThem(draft, nobody) || (never.status === 200 && draft.method !== 'GET')) return
    const theirs = await put(draft, neighbours.theirs.names)
    expect(theirs.status, told(draft, theirs)).toBeLessThan(500)
    expect(shown(theirs, neighbours.theirs.names), told(draft, theirs)).toEqual(shown(never, nobody))
  })
  await fc.assert(property, minutes > 0 ? forMinutes() : { numRuns: 150 })
  if (minutes > 0) console.log('answers by status:', counts)
  expect(counts[200] ?? 0).toBeGreaterThan(0)
  // A session that had ended would make every later request of /account a 401, and the test blind to it.
  expect(counts[401] ?? 0).toBe(0)
})

function forMinutes() {
  return {
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: minutes * 60_000,
    markInterruptAsFailure: false,
  }
}

function put({ surface, method, render }: Draft, names: Names): Promise<Answer> {
  return asks[surface]({ method, ...render(names) })
}

function namesThem({ render }: Draft, nobody: Names): boolean {
  return JSON.stringify(render(neighbours.theirs.names)) !== JSON.stringify(render(nobody))
}

/** Returns the response without the names from the request, and therefore without its length. */
function shown(answer: Answer, names: Names) {
  const { text, headers, ...rest } = comparable(answer, '\0')
  const { 'content-length': _length, ...others } = headers
  const spoken = Object.values(names).filter(name => name.length > 6)
  // The error for invalid JSON quotes some characters of the body.
  const plain = text.replace(/Unexpected .* is not valid JSON/, 'not valid JSON')
  return {
    ...rest,
    headers: others,
    text: spoken.reduce((held, name) => held.replaceAll(name, '<theirs>'), plain),
  }
}

function told({ method, render }: Draft, { status, text }: Answer): string {
  const { path, body } = render(neighbours.theirs.names)
  return `${method} ${path} ${JSON.stringify(body)?.slice(0, 2000)} → ${status} ${text.slice(0, 500)}`
}
