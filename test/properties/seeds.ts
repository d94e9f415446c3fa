const usual = 2000
/** The seeds of `npm test`. */
const few = 500

/** GATEHOUSE_SEEDS scales the number of runs. */
export function runs(count: number): { numRuns: number } {
  const asked = Number(process.env.GATEHOUSE_SEEDS ?? few)
  return { numRuns: Math.max(1, Math.round((count * asked) / usual)) }
}
