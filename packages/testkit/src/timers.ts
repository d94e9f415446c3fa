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
    this.#arm(entry)
    this.#entries.add(entry)
    return () => this.#remove(entry)
  }

  advance(milliseconds: number): void {
    this.#passed += milliseconds
    const entries = [...this.#entries].toSorted((one, other) => one.due - other.due)
    for (const entry of entries) {
      if (!this.#entries.has(entry)) continue
      clearTimeout(entry.timer)
      if (entry.due <= this.elapsed()) this.#fire(entry)
      else this.#arm(entry)
    }
  }

  #arm(entry: Entry): void {
    entry.timer = setTimeout(() => this.#fire(entry), entry.due - this.elapsed()).unref()
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
