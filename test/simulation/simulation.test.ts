import { expect, test } from 'vitest'
import { simulate } from './scenario.ts'

/**
 * A failing seed replays: `GATEHOUSE_SEED=<seed> npx vitest run test/simulation`. `npm run soak` runs thousands.
 */
const usual = 200
const only = process.env.GATEHOUSE_SEED
const count = Math.max(usual, Math.round(Number(process.env.GATEHOUSE_SEEDS ?? 0) / 10))
const seeds = only === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(only)]

test(`service, network and three edges agree in the end, whatever happens (${seeds.length} seeds)`, async () => {
  const sums = { decisions: 0, events: 0, crashes: 0, versions: 0, commands: 0 }
  for (const seed of seeds) {
    const { problems, counts } = await simulate(seed)
    if (problems.length > 0) expect.fail(`seed ${seed}: ${problems.slice(0, 5).join('\n')}`)
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name]
  }
  // A simulation in which nothing happens would find nothing.
  for (const sum of Object.values(sums)) expect(sum).toBeGreaterThan(seeds.length)
}, 3_600_000)

test('the same seed happens the same way', async () => {
  expect(await simulate(7)).toEqual(await simulate(7))
})
