import type { Client, StreamOptions } from '@gatehouse-access/sdk'
import type { Event } from './describe-event.ts'

export interface Followed<Expanded> extends Pick<StreamOptions, 'filter' | 'expand' | 'signal'> {
  /** What happened before, oldest first. Read once everything that happens from now on will follow. */
  before?(): AsyncIterable<Event & Expanded>
  onReady?(): void
}

/** Yields what happened and then what happens, each event once and without a gap in between. */
export async function* followEvents<Expanded = unknown>(
  client: Client,
  { before, onReady, ...options }: Followed<Expanded>,
): AsyncGenerator<Event & Expanded> {
  const ready = Promise.withResolvers<void>()
  const stream = client.events.stream({ ...options, onReady: () => ready.resolve() })
  const first = stream.next()
  await Promise.race([ready.promise, first])
  onReady?.()
  const seen = new Set<string>()
  if (before)
    for await (const event of before()) {
      seen.add(event.id)
      yield event
    }
  for (let step = await first; !step.done; step = await stream.next())
    if (!seen.delete(step.value.event.id)) yield step.value.event as Event & Expanded
}
