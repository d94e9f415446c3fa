import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { beginScratch } from './packages/testkit/src/scratch.ts'
import { slowness } from './packages/testkit/src/slowness.ts'
import { slowTests } from './scripts/slow-tests.ts'

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)))
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return slowTests.test(moduleId)
}

beginScratch()

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/set-up.ts'],
    pool: 'forks',
    // One more than cores: a test that waits, for a process to start or a time to pass, leaves its core to others.
    maxWorkers: availableParallelism() + 1,
    // No test changes what modules hold, so files share them: loading the service anew for each would cost more than most files do.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // A test that hangs says so soon; one that needs more has its time by `within`.
    testTimeout: 30_000 * slowness,
    hookTimeout: 60_000 * slowness,
    expect: { poll: { timeout: 20_000 * slowness } },
  },
})
