import { type RunnerTestCase, TestRunner } from 'vitest'
import { patience, slowness, usualLimit } from './slowness.ts'

// A test may put others in their place.
const { setTimeout, clearTimeout } = globalThis
const now = performance.now.bind(performance)

/** Milliseconds, on an idle machine. Shorter than the limit of a test, which would not say what it was waiting for. */
const longestPoll = 20_000

/**
 * Fails a test that takes longer than its limit, times the slowness of the machine when the limit ends. Vitest
 * itself fixes its limits when a file begins, and the machine may become slower, so it is given far longer ones
 * (`patience`), which end what hangs without ever giving way to a timer.
 */
export default class PatientRunner extends TestRunner {
  override onBeforeTryTask(...args: Parameters<TestRunner['onBeforeTryTask']>): void {
    super.onBeforeTryTask(...args)
    this.config.expect.poll = { ...this.config.expect.poll, timeout: longestPoll * slowness() }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const limit = limitOf(Math.max(usualLimit, test.timeout / patience))
    try {
      await Promise.race([TestRunner.getTestFn(test)(), limit.passed])
    } finally {
      limit.cancel()
    }
  }
}

/** `milliseconds` is how long it lasts on an idle machine. */
function limitOf(milliseconds: number): { readonly passed: Promise<never>; cancel(): void } {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const began = now()
  let timer: NodeJS.Timeout
  const wait = (left: number) => {
    timer = setTimeout(look, left).unref()
  }
  const look = () => {
    const factor = slowness()
    const left = began + milliseconds * factor - now()
    if (left > 0) return wait(left)
    const told = `${milliseconds / 1000} s, times ${factor.toFixed(1)} because the machine is slow now`
    reject(new Error(`the test took longer than ${told}; one that needs more says so by \`within\``))
  }
  wait(milliseconds)
  return { passed, cancel: () => clearTimeout(timer) }
}
