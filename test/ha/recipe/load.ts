import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@gatehouse-access/sdk'
import { Ledger, Writer } from '../../faults/writer.ts'

const writers = 4

/** What one service is asked while its database fails, and what it answered. */
export class Load {
  readonly ledger = new Ledger()
  /** Cursors and ids of the events in the order of its stream. */
  readonly streamed: { id: string; cursor: string }[] = []
  /** Answers other than 200 and 503 with Retry-After. */
  readonly odd: string[] = []
  /** Reads that were answered with 503. */
  refused = 0
  readonly #end = new AbortController()
  readonly #streamEnd = new AbortController()
  readonly #running: Promise<unknown>[]
  readonly #following: Promise<unknown>
  readonly #url: string
  readonly #token: string
  #at = performance.now()
  #count = 0
  #longest = 0

  constructor({ url }: { readonly url: string }, token: string) {
    this.#url = url
    this.#token = token
    this.#following = this.#follow().catch(error => void this.odd.push(`stream: ${error}`))
    this.#running = [this.#probe(), this.#watch()]
    for (let index = 0; index < writers; index++)
      this.#running.push(new Writer(url, token, this.ledger).run(this.#end.signal))
  }

  /** Returns the longest time without an acknowledged write since the last call, in seconds. */
  takeLongest(): number {
    const longest = Math.max(this.#longest, performance.now() - this.#at)
    this.#longest = 0
    return longest / 1000
  }

  async waitForWrites(count: number): Promise<void> {
    const goal = this.ledger.count + count
    while (this.ledger.count < goal) await sleep(10)
  }

  /** Stops writing, and returns once all answers are there. */
  async end(): Promise<void> {
    this.#end.abort()
    await Promise.allSettled(this.#running)
  }

  /** Waits until the stream has had an event, or half a minute, and ends it. */
  async endStream(last: string | undefined): Promise<void> {
    const deadline = performance.now() + 30_000
    while (this.streamed.at(-1)?.id !== last && performance.now() < deadline) await sleep(50)
    this.#streamEnd.abort()
    await this.#following
  }

  /** Returns the details of /readyz: the lag of the consumers, and the alarm of the audit chain if it has one. */
  async readiness(): Promise<object> {
    return (await fetch(`${this.#url}/readyz`)).json() as Promise<object>
  }

  async #watch(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await sleep(5)
      if (this.ledger.count === this.#count) continue
      const now = performance.now()
      this.#longest = Math.max(this.#longest, now - this.#at)
      this.#count = this.ledger.count
      this.#at = now
    }
  }

  async #probe(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#token}` }
    while (!this.#end.signal.aborted) {
      await sleep(100)
      for (const path of ['/v2/members?limit=1', '/v2/events?limit=1']) {
        const answer = await fetch(this.#url + path, { headers }).catch(() => undefined)
        const isTold = answer?.status === 503 && answer.headers.get('retry-after') !== null
        if (isTold) this.refused++
        if (!isTold && answer?.status !== 200) this.odd.push(`${path} ${answer?.status ?? 'no answer'}`)
        await answer?.arrayBuffer().catch(() => undefined)
      }
    }
  }

  async #follow(): Promise<void> {
    const client = createClient({ base_url: `${this.#url}/v2`, token: this.#token })
    const wish = { after: '0.0.0', signal: this.#streamEnd.signal }
    for await (const { event, cursor } of client.events.stream(wish as never))
      this.streamed.push({ id: event.id, cursor })
  }
}
