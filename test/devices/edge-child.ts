import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalEvent } from '@gatehouse-access/api'
import type { EdgeOptions, EdgeRequest, TimedOrder } from './edge-process.ts'

export interface EdgeStatus {
  readonly is_live: boolean
  readonly is_sure: boolean
  readonly version: number | null
  readonly opened: number
  readonly last_sequence: number
  /** Plans with a panic button. */
  readonly buttons: number
}

type Asked = EdgeRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never

/** A controller process that can be killed. */
export class EdgeChild implements AsyncDisposable {
  readonly #options: EdgeOptions
  #ahead: number
  #child: ChildProcess
  #waiting = new Map<number, (value: unknown) => void>()
  #lastId = 0

  constructor(options: EdgeOptions) {
    this.#options = options
    this.#ahead = options.ahead
    this.#child = this.#start()
  }

  type(keys: string): Promise<JournalEvent[]> {
    return this.#ask({ type: 'keys', keys }) as Promise<JournalEvent[]>
  }

  status(): Promise<EdgeStatus> {
    return this.#ask({ type: 'status' }) as Promise<EdgeStatus>
  }

  /** Returns why the door would not open for a PIN, or null if it would. */
  decide(pin: string, gadget_id: string): Promise<string | null> {
    return this.#ask({ type: 'decide', pin, gadget_id }) as Promise<string | null>
  }

  /** Returns the same for each of many instants. */
  decideAt(pin: string, gadget_id: string, at: readonly string[]): Promise<(string | null)[]> {
    return this.#ask({ type: 'decide_at', pin, gadget_id, at }) as Promise<(string | null)[]>
  }

  /** Returns the milliseconds from the signal to the last order that followed. */
  signal(gadget_id: string, signal_id: string): Promise<number> {
    return this.#ask({ type: 'signal', gadget_id, signal_id }) as Promise<number>
  }

  async state(gadget_id: string, state_id: string): Promise<void> {
    await this.#ask({ type: 'state', gadget_id, state_id })
  }

  /** Returns what the hardware was told since the process was started. */
  orders(): Promise<TimedOrder[]> {
    return this.#ask({ type: 'orders' }) as Promise<TimedOrder[]>
  }

  /** Returns the events that the service has not acknowledged. */
  journal(): Promise<JournalEvent[]> {
    return this.#ask({ type: 'journal' }) as Promise<JournalEvent[]>
  }

  async advance(seconds: number): Promise<void> {
    this.#ahead += seconds
    await this.#ask({ type: 'advance', seconds })
  }

  /** Simulates a power loss, except that the machine's clock keeps running. */
  async kill(): Promise<void> {
    const gone = new Promise(resolve => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await gone
  }

  restart(): void {
    this.#child = this.#start()
  }

  async waitFor(isDone: (status: EdgeStatus) => boolean, milliseconds = 60_000): Promise<EdgeStatus> {
    const end = performance.now() + milliseconds
    for (;;) {
      const status = await this.status()
      if (isDone(status)) return status
      if (performance.now() > end) throw new Error(`it stayed at ${JSON.stringify(status)}`)
      await sleep(25)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill()
  }

  #start(): ChildProcess {
    const options = { ...this.#options, ahead: this.#ahead }
    const child = fork(new URL('./edge-process.ts', import.meta.url), [JSON.stringify(options)], {
      execArgv: [],
    })
    child.on('message', ({ id, value }: { id: number; value: unknown }) => this.#waiting.get(id)?.(value))
    return child
  }

  #ask(request: Asked): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve)
      this.#child.send({ ...request, id }, error => error && reject(error))
    })
  }
}
