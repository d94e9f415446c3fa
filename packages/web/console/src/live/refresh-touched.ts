import { type Resource, resourceOf, resources } from '@gatehouse/api'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from './stream.ts'

/** Where an object is shown: in its own collection, or in that of the object it hangs on. */
function shownIn({ kind, parent, plural, singleton }: Resource): string {
  return parent ? resourceOf(parent).plural : singleton ? kind : plural
}

/** Which collections an event makes stale; what devices do touches only what shows their state. */
const touchedBy: Record<string, readonly string[]> = {
  ...Object.fromEntries(Object.values(resources).map(resource => [resource.kind, [shownIn(resource)]])),
  gadget: ['gadgets', 'devices'],
  gadget_action: ['gadgets'],
  gadget_state: ['gadgets'],
  hardware: ['devices'],
  invitation: ['users'],
  oauth_application: ['installations'],
}

/** What shows events themselves is told of each; only what came before the stream began is asked for again. */
const told = ['events', 'last-day']
const gap = 2000
const mostPages = 3

/** Asks again for what is shown of the touched collections, every two seconds at most. */
export function refreshTouched(queries: QueryClient, organization_id: string) {
  const stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    const plurals = new Set(stale)
    stale.clear()
    invalidate(plurals)
  }
  const invalidate = (plurals: ReadonlySet<string>, isAnswered = (_: Query) => true) =>
    void queries.invalidateQueries({
      predicate: query =>
        query.queryKey[0] === organization_id &&
        plurals.has(String(query.queryKey[1])) &&
        isSmall(query) &&
        isAnswered(query),
    })
  return {
    add(events: readonly LiveEvent[]): void {
      for (const { object } of events) for (const plural of touchedBy[object.type] ?? []) stale.add(plural)
      if (stale.size > 0) timer ??= setTimeout(refresh, gap)
    },
    /** The stream has begun: what was answered before it may lack what happened in between. */
    addAll(): void {
      invalidate(
        new Set([...Object.values(touchedBy).flat(), ...told]),
        ({ state }) => state.status === 'success',
      )
    },
    stop(): void {
      clearTimeout(timer)
    },
  }
}

/** A list that was scrolled far would be loaded again from its beginning: it stays as it is. */
function isSmall(query: Query): boolean {
  const data = query.state.data as Partial<InfiniteData<unknown>> | undefined
  return (data?.pages?.length ?? 0) <= mostPages
}
