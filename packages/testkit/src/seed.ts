import { randomInt } from 'node:crypto'
import { isSoak } from './soak.ts'

/** Undefined also for a range, which only the simulation takes. */
const asked = Number.isInteger(Number(process.env.GATEHOUSE_SEED ?? 'none'))
  ? Number(process.env.GATEHOUSE_SEED)
  : undefined

/**
 * What every random test begins with: always the same in `npm test`, which must not fail by chance, and another in
 * every process of `npm run soak`, which prints it. GATEHOUSE_SEED repeats one.
 */
export const seed = asked ?? (isSoak ? randomInt(2 ** 31) : 14_112_026)
