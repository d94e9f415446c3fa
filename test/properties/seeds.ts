const usual = 2000

/** Runs are repeatable: the seed is fixed, and GATEHOUSE_SEEDS asks for more of them than the usual number. */
export function runs(count: number): { seed: number; numRuns: number } {
  const asked = Number(process.env.GATEHOUSE_SEEDS ?? usual)
  return { seed: 14_112_026, numRuns: Math.max(1, Math.round((count * asked) / usual)) }
}
