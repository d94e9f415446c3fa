import { expect, vi } from 'vitest'
import { slowness } from './slowness.ts'

interface Limit {
  readonly timeout?: number
}

/** What vitest itself has. Files that share a worker share it, so it must not be wrapped again for each. */
const { poll } = expect
const { waitFor } = vi

/** Lets `expect.poll` and `vi.waitFor` wait longer on a busy machine, also where a test names the limit. */
export function waitPatiently(): void {
  expect.poll = (look, limit) => poll(look, scaled(limit))
  vi.waitFor = (look, limit) => waitFor(look, typeof limit === 'number' ? limit * slowness() : scaled(limit))
}

function scaled<Given extends Limit>(limit: Given | undefined): Given | undefined {
  return limit?.timeout === undefined ? limit : { ...limit, timeout: limit.timeout * slowness() }
}
