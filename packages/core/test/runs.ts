export const isSoak = process.env.GATEHOUSE_SEEDS !== undefined

/** How many cases a property is tried with: few in `npm test`, many in `npm run soak`. */
export function runs(few: number, many: number): { readonly numRuns: number } {
  return { numRuns: isSoak ? many : few }
}
