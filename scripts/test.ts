import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storiesOfChanges } from './changed.ts'

/** Several checkers resolve the same types again, which takes half as much processor time more. The tests need it. */
const frugal = ['--checkers', '1'] as const

/**
 * All checks, cheapest first. They run beside the tests, which leave some processor time unused. The last line
 * of output counts results: one per check, and one per test.
 */
const checks = [
  ['types of the pure packages', 'tsc', '-p', 'tsconfig.pure.json', ...frugal],
  ['types', 'tsc', '-p', 'tsconfig.json', ...frugal],
  ['types of the guest page', 'tsc', '-p', 'packages/web/guest', ...frugal],
  ['types of the console', 'tsc', '-p', 'packages/web/console', ...frugal],
  ['lint and format', 'biome', 'check', '--error-on-warnings'],
  ['rooms and imports', 'node', 'scripts/check-structure.ts'],
] as const

let passed = 0
let failed = 0

await Promise.all([runChecks(), runTests(chooseTests(process.argv.slice(2)))])
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** With `--quick`, only what takes under a minute: the pure packages, and the tests for what changed. */
function chooseTests(args: readonly string[]): readonly string[] {
  if (!args.includes('--quick')) return args
  const rest = args.filter(arg => arg !== '--quick')
  return ['packages/core/', 'packages/api/', ...storiesOfChanges(), ...rest]
}

async function runChecks(): Promise<void> {
  for (const [name, command, ...args] of checks) {
    const { holds, output } = await run(command, args)
    console.log(`${output}${holds ? '✓' : '✗'} ${name}`)
    count(holds ? 1 : 0, holds ? 0 : 1)
  }
}

/** Collects the output, so that it is not mixed with that of the tests. */
async function run(command: string, args: readonly string[]): Promise<{ holds: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  return { holds: code === 0, output }
}

function count(good: number, bad: number): void {
  passed += good
  failed += bad
}

async function runTests(filters: readonly string[]): Promise<void> {
  const file = join(tmpdir(), `gatehouse-tests-${process.pid}.json`)
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters]
  const [code] = await once(spawn('vitest', args, { stdio: 'inherit' }), 'close')
  const holds = code === 0
  const report = readReport(file)
  count(report.numPassedTests, report.numFailedTests)
  // A file that fails to load has no failed tests.
  if (!holds && report.numFailedTests === 0) count(0, Math.max(1, report.numFailedTestSuites))
}

function readReport(file: string): {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
} {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 1 }
  } finally {
    rmSync(file, { force: true })
  }
}
