import type { Timers } from '@gatehouse-access/server'

interface Entry {
  readonly due: number
  readonly run: () => void
  timer: NodeJS.Timeout
}

/** Real timers that a test can advance manually. Whatever is then due runs immediately, in order. */
export class ManualTimers implements Timers {
  readonly #entries = new Set<Entry>()
  #passed = 0

  elapsed(): number {
    return performance.now() + this.#passed
  }

  later(milliseconds: number, run: () => void): () => void {
    const entry = { due: this.elapsed() + milliseconds, run } as Entry
    this.#arm(entry, milliseconds)
    this.#entries.add(entry)
    return () => this.#remove(entry)
  }

  advance(milliseconds: number): void {
    this.#passed += milliseconds
    const entries = [...this.#entries].toSorted((one, other) => one.due - other.due)
    for (const entry of entries) {
      if (!this.#entries.has(entry)) continue
      clearTimeout(entry.timer)
      // Read once: the process may lose its core for longer than is left.
      const left = entry.due - this.elapsed()
      if (left <= 0) this.#fire(entry)
      else this.#arm(entry, left)
    }
  }

  #arm(entry: Entry, milliseconds: number): void {
    entry.timer = setTimeout(() => this.#fire(entry), milliseconds).unref()
  }

  #fire(entry: Entry): void {
    this.#remove(entry)
    entry.run()
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer)
    this.#entries.delete(entry)
  }
}
