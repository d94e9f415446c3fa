import { RequestError } from '@gatehouse-access/api'
import { every } from '../../flow/timers.ts'
import { findLiving, type Holder, nameHolder } from '../../services/applications/stream-holders.ts'
import type { TokenCache } from '../../services/applications/token-cache.ts'
import type { Context } from '../../services/objects/context.ts'
import { exceeded } from '../../store/counts/quotas.ts'

/** Why the service closes a stream, with the WebSocket close code and message. */
export const endings = {
  token_ended: { code: 4001, message: 'the access token expired or was revoked; resume with a new one' },
  too_slow: { code: 4008, message: 'the client reads too slowly; resume by cursor' },
  not_subscribed: { code: 4000, message: 'no subscribe message arrived in time' },
  not_alive: { code: 4002, message: 'pings were not answered' },
  going_away: { code: 1001, message: 'the service is stopping; resume by cursor' },
  failed: { code: 1011, message: 'something went wrong on our side; resume by cursor' },
} as const
export type Ending = keyof typeof endings

export interface Session {
  readonly holder: Holder
  end(reason: Ending): void
}

const mostPerToken = 100
const checkGap = 400

/** The open streams of this process. Limits their number, and ends them when their token ends. */
export class Sessions {
  /** Milliseconds that a reader can stall before its stream is closed. */
  readonly longest_stall: number
  #byToken = new Map<string, Set<Session>>()
  #reserved = new Map<string, number>()
  #tokens: TokenCache
  #context: Context
  #stopChecking: (() => void) | undefined
  #isEnding = false

  constructor(context: Context, tokens: TokenCache, longest_stall: number) {
    this.longest_stall = longest_stall
    this.#context = context
    this.#tokens = tokens
  }

  /**
   * Reserves room for a stream and returns the function that releases it. Throws if the token or organization
   * has too many. Runs before the connection is accepted, so that simultaneous ones are counted.
   */
  reserve(holder: Holder, organization_id: string): () => void {
    const key = nameHolder(holder)
    const most = this.#context.quotas.most('stream')
    if ((this.#reserved.get(organization_id) ?? 0) >= most) throw exceeded('stream', most)
    const taken = this.#reserved.get(key) ?? 0
    if (taken >= mostPerToken || this.#isEnding)
      throw new RequestError('rate_limited', `a token can have ${mostPerToken} streams open at a time`, {
        headers: { 'retry-after': '1' },
      })
    for (const name of [key, organization_id]) this.#reserved.set(name, (this.#reserved.get(name) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) for (const name of [key, organization_id]) this.#giveBack(name)
      isHeld = false
    }
  }

  #giveBack(key: string): void {
    const left = (this.#reserved.get(key) ?? 1) - 1
    if (left > 0) this.#reserved.set(key, left)
    else this.#reserved.delete(key)
  }

  add(session: Session): () => void {
    const key = nameHolder(session.holder)
    const group = this.#byToken.get(key) ?? new Set()
    this.#byToken.set(key, group.add(session))
    this.#stopChecking ??= every(this.#context.timers, checkGap, () => void this.#check())
    return () => {
      group.delete(session)
      if (group.size === 0 && this.#byToken.get(key) === group) this.#byToken.delete(key)
    }
  }

  /**
   * Uses one query for all tokens and one for all users. While the database is away, nothing can be revoked
   * either, so a failed check is ignored. Streams opened during the query are judged only by the next check.
   */
  async #check(): Promise<void> {
    const asked = [...this.#byToken.keys()]
    if (asked.length === 0) return
    const living = await findLiving({ context: this.#context, tokens: this.#tokens }, asked).catch(
      () => undefined,
    )
    if (!living) return
    for (const key of asked)
      if (!living.has(key)) for (const session of this.#byToken.get(key) ?? []) session.end('token_ended')
  }

  /** Streams must call this when the service ends them. */
  countEnding(reason: Ending): void {
    this.#context.metrics.count('gatehouse_streams_closed_total', { reason })
  }

  endAll(): void {
    this.#isEnding = true
    this.#stopChecking?.()
    for (const group of this.#byToken.values()) for (const session of group) session.end('going_away')
  }

  get size(): number {
    return [...this.#byToken.values()].reduce((sum, group) => sum + group.size, 0)
  }
}
