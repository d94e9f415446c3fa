import { slowness } from './slowness.ts'

const asked = process.env.GATEHOUSE_SEEDS

/** Whether this is `npm run soak`, where time does not matter. */
export const isSoak = asked !== undefined

/** How many of what a test repeats: few in `npm test`, as many as were asked for in `npm run soak`. */
export function manyOr(few: number): number {
  return Number(asked ?? few)
}

/** For a test that needs longer than the usual time-out; in `npm run soak` it may take what it takes. */
export function within(seconds: number): { readonly timeout: number } {
  return { timeout: isSoak ? 36_000_000 : Math.round(seconds * slowness) * 1000 }
}
