import type { Feed, FeedEvent } from './feed.ts'

/** Called with each batch of new events. */
export type Listener = (events: readonly FeedEvent[]) => void

export interface Following {
  /** Everything to come lies after this. */
  readonly position: string
  stop(): void
}

/**
 * The live end of the feed, read once for the whole process however many listen: a thousand streams cost the database
 * as much as one.
 */
export class Tail implements AsyncDisposable {
  #feed: Feed
  #listeners = new Map<string, Set<Listener>>()
  #end = new AbortController()
  #started: Promise<void> | undefined
  #reading: Promise<void> = Promise.resolve()
  #position = ''

  constructor(feed: Feed) {
    this.#feed = feed
  }

  /** Listens from now on to one organization, or to all. */
  async follow(organization: string | 'all', listener: Listener): Promise<Following> {
    this.#started ??= this.#start().catch(error => {
      this.#started = undefined
      throw error
    })
    await this.#started
    const group = this.#listeners.get(organization) ?? new Set()
    this.#listeners.set(organization, group.add(listener))
    return { position: this.#position, stop: () => this.#forget(organization, group, listener) }
  }

  #forget(organization: string, group: Set<Listener>, listener: Listener): void {
    group.delete(listener)
    if (group.size === 0 && this.#listeners.get(organization) === group) this.#listeners.delete(organization)
  }

  async #start(): Promise<void> {
    this.#position = await this.#feed.head()
    this.#reading = this.#read(this.#position)
  }

  async #read(after: string): Promise<void> {
    for await (const events of this.#feed.read({ after, signal: this.#end.signal })) {
      this.#position = events.at(-1)?.position ?? this.#position
      for (const listener of this.#listeners.get('all') ?? []) listener(events)
      for (const [id, group] of Map.groupBy(events, ({ event }) => event.organization_id as string))
        for (const listener of this.#listeners.get(id) ?? []) listener(group)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#reading
  }
}
