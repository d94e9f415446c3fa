import { systemTimers, type Timers } from '../flow/timers.ts'
import type { Feed } from './feed.ts'
import type { FeedEvent } from './feed-event.ts'
import { RecentEvents } from './recent.ts'

export type Listener = (events: readonly FeedEvent[]) => void

const longestUnused = 60_000

/**
 * The live end of the feed, read once per process for any number of followers: a thousand streams cost the
 * database as much as one, even when all of them reconnect at once.
 */
export class Tail implements AsyncDisposable {
  #feed: Feed
  #timers: Timers
  #listeners = new Set<Listener>()
  #followed = new Map<string, { recent: RecentEvents; users: number; unusedSince: number }>()
  #end = new AbortController()
  #started: Promise<void> | undefined
  #reading: Promise<void> = Promise.resolve()
  #position = ''

  constructor(feed: Feed, timers: Timers = systemTimers) {
    this.#timers = timers
    this.#feed = feed
    feed.onEpoch(() => {
      for (const { recent } of this.#followed.values()) recent.forget()
    })
  }

  /** Listens to all events from now on. Returns a function that stops it. */
  async listen(listener: Listener): Promise<() => void> {
    await this.#start()
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Returns the latest events of an organization, kept up to date until `stop` is called. */
  async follow(organizationId: string): Promise<{ recent: RecentEvents; stop: () => void }> {
    await this.#start()
    const known = this.#followed.get(organizationId)
    const entry = known ?? { recent: new RecentEvents(this.#position), users: 0, unusedSince: 0 }
    if (!known) this.#followed.set(organizationId, entry)
    entry.users++
    const stop = () => {
      entry.users--
      entry.unusedSince = this.#timers.elapsed()
    }
    return { recent: entry.recent, stop }
  }

  #start(): Promise<void> {
    this.#started ??= this.#begin().catch(error => {
      this.#started = undefined
      throw error
    })
    return this.#started
  }

  async #begin(): Promise<void> {
    this.#position = await this.#feed.head()
    this.#reading = this.#read(this.#position)
  }

  async #read(after: string): Promise<void> {
    for await (const events of this.#feed.read({ after, signal: this.#end.signal })) {
      this.#position = events.at(-1)?.position ?? this.#position
      for (const listener of this.#listeners) listener(events)
      for (const [id, group] of Map.groupBy(events, ({ event }) => event.organization_id))
        this.#followed.get(id)?.recent.push(group)
      this.#forgetUnused()
    }
  }

  /** Keeps unused entries for a while, because disconnected clients reconnect soon for what they missed. */
  #forgetUnused(): void {
    const before = this.#timers.elapsed() - longestUnused
    for (const [id, { users, unusedSince }] of this.#followed)
      if (users === 0 && unusedSince < before) this.#followed.delete(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#reading
  }
}
