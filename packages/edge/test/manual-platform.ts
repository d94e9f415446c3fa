import type { Platform } from '../src/index.ts'

/** A machine whose clocks the test moves. Timers run when they are due. */
export class ManualPlatform implements Platform {
  boot_id = 'boot-1'
  #monotonic = 1_000_000
  #wall: number
  #timers: { at: number; run: () => void }[] = []

  constructor(wall = 0) {
    this.#wall = wall
  }

  monotonic(): number {
    return this.#monotonic
  }

  wall(): number {
    return this.#wall
  }

  random(): number {
    return 0.5
  }

  later(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#monotonic + milliseconds * 1000, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  /** Advances time. Timers run in order, each at its own time. */
  async advance(seconds: number): Promise<void> {
    const end = this.#monotonic + Math.round(seconds * 1e6)
    for (let timer = this.#due(end); timer; timer = this.#due(end)) {
      this.#pass(timer.at)
      this.#timers = this.#timers.filter(other => other !== timer)
      timer.run()
      await settle()
    }
    this.#pass(end)
    await settle()
  }

  /** Moves time at once. Timers that were due meanwhile run afterwards, as on a machine that was asleep. */
  async leap(seconds: number): Promise<void> {
    this.#pass(this.#monotonic + Math.round(seconds * 1e6))
    await this.advance(0)
  }

  /** Simulates a power loss: the clocks restart. */
  reboot(wall: number): void {
    this.boot_id = `${this.boot_id}+`
    this.#monotonic = 1_000_000
    this.#wall = wall
    this.#timers = []
  }

  /** Simulates the end of the process: its timers are gone, the clocks go on. */
  forgetTimers(): void {
    this.#timers = []
  }

  #pass(monotonic: number): void {
    this.#wall += Math.max(0, monotonic - this.#monotonic)
    this.#monotonic = Math.max(this.#monotonic, monotonic)
  }

  #due(end: number) {
    return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
  }
}

/** Flushes pending microtasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
