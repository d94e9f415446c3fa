import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take long: begun first, so that no worker is left alone with one at the end. */
const slow = /\/test\/(browser|faults|delivery|stream|simulation)\/|\/oracle\.test/

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)))
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return slow.test(moduleId)
}

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/set-up.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // No test changes what modules hold, so files share them: loading the service anew for each would cost more than most files do.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Waits are for what is meant, so on a busy machine they may be long, in a browser most of all.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
