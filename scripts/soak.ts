import { spawnSync } from 'node:child_process'

/** The random tests with many more seeds than `npm test` has time for. */
const seeds = process.argv[2] ?? '100000'
const { status } = spawnSync(
  'vitest',
  ['run', '--testTimeout=36000000', 'properties', 'packages/core', 'simulation'],
  {
    stdio: 'inherit',
    env: { ...process.env, GATEHOUSE_SEEDS: seeds },
  },
)
process.exitCode = status ?? 1
