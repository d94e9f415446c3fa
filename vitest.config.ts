import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { beginScratch } from './packages/testkit/src/scratch.ts'
import { patience, usualLimit } from './packages/testkit/src/slowness.ts'
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
// Each thread of a controller would otherwise load the compiler of TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')
// What this process loads for the set-up is compiled once, instead of by every worker.
enableCompileCache(process.env.NODE_COMPILE_CACHE)

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/set-up.ts'],
    setupFiles: ['packages/testkit/src/begin-tests.ts'],
    pool: 'forks',
    // Fewer, larger collections of short-lived objects, of which tests make many.
    execArgv: ['--max-semi-space-size=64'],
    // Two more than cores, because a test that waits for a process or a timer leaves its core idle.
    maxWorkers: availableParallelism() + 2,
    // No test changes module state, so files share modules. Reloading them would take longer than most files.
    isolate: false,
    // Node imports the sources itself, as it does for the service. Through the module runner of Vite they would be
    // transformed first, and every use of an import would go through a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: SlowFirst },
    // A hanging test fails soon: after 30 s, or as much longer as the machine is slower. A test that needs more time
    // uses `within`.
    runner: 'packages/testkit/src/patient-runner.ts',
    testTimeout: usualLimit * patience,
    hookTimeout: usualLimit * patience,
  },
})
