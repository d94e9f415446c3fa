import type { Feed, FeedEvent } from './feed.ts'

/** Called with each batch of new events, and where the feed then stands. */
export type Listener = (events: readonly FeedEvent[]) => void

/**
 * The live end of the feed, read once for the whole process however many listen: a thousand streams cost the database
 * as much as one.
 */
export class Tail implements AsyncDisposable {
  #feed: Feed
  #listeners = new Set<Listener>()
  #end = new AbortController()
  #started: Promise<void> | undefined
  #reading: Promise<void> = Promise.resolve()
  #position = ''

  constructor(feed: Feed) {
    this.#feed = feed
  }

  /** Listens from now on. Answers the position that everything to come lies after, and how to stop. */
  async follow(listener: Listener): Promise<{ position: string; stop: () => void }> {
    this.#started ??= this.#start().catch(error => {
      this.#started = undefined
      throw error
    })
    await this.#started
    this.#listeners.add(listener)
    return { position: this.#position, stop: () => void this.#listeners.delete(listener) }
  }

  async #start(): Promise<void> {
    this.#position = await this.#feed.head()
    this.#reading = this.#read(this.#position)
  }

  async #read(after: string): Promise<void> {
    for await (const events of this.#feed.read({ after, signal: this.#end.signal })) {
      this.#position = events.at(-1)?.position ?? this.#position
      for (const listener of this.#listeners) listener(events)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#reading
  }
}
