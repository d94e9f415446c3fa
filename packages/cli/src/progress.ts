import type { Output } from './command.ts'

/** Shows progress: one line that is overwritten on a terminal, or a line every few seconds elsewhere. */
export class Progress {
  readonly #label: string
  readonly #total: number
  readonly #stream: Output
  readonly #began = performance.now()
  #shown = performance.now()
  #done = 0

  constructor(label: string, total: number, stream: Output) {
    this.#label = label
    this.#total = total
    this.#stream = stream
  }

  update(done: number): void {
    this.#done = done
    const gap = this.#stream.isTTY ? 100 : 5000
    if (performance.now() - this.#shown < gap || done >= this.#total) return
    this.#shown = performance.now()
    this.#write(this.#stream.isTTY ? '' : '\n')
  }

  end(): void {
    this.#write('\n')
  }

  #write(end: string): void {
    const over = this.#stream.isTTY ? '\r\u001b[K' : ''
    this.#stream.write(`${over}${this.#describe()}${end}`)
  }

  #describe(): string {
    const seconds = (performance.now() - this.#began) / 1000
    const rate = this.#done / Math.max(seconds, 0.001)
    const percent = this.#total === 0 ? 100 : Math.floor((100 * this.#done) / this.#total)
    const left = this.#total - this.#done
    const rest = left > 0 ? `${formatSeconds(left / rate)} left` : `in ${formatSeconds(seconds)}`
    return `${this.#label}  ${format(this.#done)} of ${format(this.#total)}  ${percent} %  ${format(rate)}/s  ${rest}`
  }
}

function format(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'unknown time'
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
