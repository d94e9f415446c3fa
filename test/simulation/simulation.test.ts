import { isSoak, seed, soak, within } from '@gatehouse-access/testkit'
import { expect, inject, test } from 'vitest'
import { type Lane, openLane } from './lane.ts'
import { night, simulate } from './scenario.ts'

/**
 * Replays a failing seed: `GATEHOUSE_SEED=<seed> GATEHOUSE_STEPS=<steps> npx vitest run test/simulation`. Runs a range
 * of seeds: `GATEHOUSE_SEED=1-50`. `npm run soak` runs a thousand or more from a random one, with more steps in each.
 */
const usual = 100
const count = Math.max(usual, Number(process.env.GATEHOUSE_SEEDS ?? 0))
const steps = Number(process.env.GATEHOUSE_STEPS ?? (isSoak ? 40 : 12))
const start = isSoak ? seed : 1
const range = process.env.GATEHOUSE_SEED ?? `${start}-${start + count - 1}`
const [first = 1, last = first] = range.split('-').map(Number)
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)
/** The number of concurrent seeds: while the database serves one, another continues. */
const laneCount = 4

async function withLane<Value>(work: (lane: Lane) => Promise<Value>): Promise<Value> {
  await using lane = await openLane(inject('databases'), night)
  return await work(lane)
}

test(
  `service, network and three edges agree in the end, whatever happens (${seeds.length} seeds from ${first})`,
  async () => {
    const sums: Record<string, number> = {}
    const failures: string[] = []
    const left = [...seeds]
    const runSome = async (lane: Lane) => {
      for (let seed = left.shift(); seed !== undefined && failures.length === 0; seed = left.shift()) {
        const { problems, counts } = await simulate(seed, lane, { steps })
        if (problems.length > 0)
          failures.push(`seed ${seed} of ${steps} steps: ${problems.slice(0, 5).join('\n')}`)
        for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
      }
    }
    await Promise.all(Array.from({ length: laneCount }, () => withLane(runSome)))
    expect(failures).toEqual([])
    console.info(`${seeds.length} seeds: ${JSON.stringify(sums)}`)
    // A simulation in which nothing happens would find nothing. The rarest, the end of a lease, is in every second night.
    const due = steps >= 40 && seeds.length >= 200 ? seeds.length / 3 : 0
    if (seeds.length >= usual) for (const sum of Object.values(sums)) expect(sum).toBeGreaterThan(due)
  },
  within(60).timeout,
)

test('the same seed happens the same way', async () => {
  const reports = await withLane(async lane => [
    await simulate(7, lane, { steps }),
    await simulate(7, lane, { steps }),
  ])
  expect(reports[0]).toEqual(reports[1])
})

soak(
  'a simulation whose service cannot tell one life of the database from the next finds that changes are missed',
  async () => {
    const found = await withLane(async lane => {
      for (let seed = 1; seed <= 60; seed++)
        if ((await simulate(seed, lane, { steps, isGuarded: false })).problems.length > 0) return seed
      return undefined
    })
    expect(found).toBeDefined()
  },
  within(60).timeout,
)

test(
  'a simulation whose locks only say that they are locked finds lockdowns that do not hold',
  async () => {
    const found = await withLane(async lane => {
      // The first that finds one in twelve steps.
      for (let seed = 52; seed <= 112; seed++) {
        const { problems } = await simulate(seed, lane, { steps, isHonest: false })
        if (problems.some(problem => problem.includes('held open'))) return seed
      }
      return undefined
    })
    expect(found).toBeDefined()
  },
  within(600).timeout,
)
