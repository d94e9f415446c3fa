import { test } from 'vitest'
import { patience } from './slowness.ts'

const asked = process.env.GATEHOUSE_SEEDS

/** Whether this is `npm run soak`, where run time does not matter. */
export const isSoak = asked !== undefined

/** A test that only `npm run soak` has time for. */
export const soak = test.runIf(isSoak)

/** Returns how often a test repeats: `few` in `npm test`, the requested number in `npm run soak`. */
export function manyOr(few: number): number {
  return Number(asked ?? few)
}

/**
 * For a test that needs more than the default timeout, on an idle machine. Practically unlimited in `npm run
 * soak`.
 */
export function within(seconds: number): { readonly timeout: number } {
  return { timeout: (isSoak ? 36_000_000 : seconds * 1000) * patience }
}
