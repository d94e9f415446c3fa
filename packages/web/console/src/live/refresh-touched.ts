import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { type Kind, kinds } from '../data/declarations.ts'
import type { LiveEvent } from './stream.ts'

/** Returns the collection that shows an object: its own, or that of its parent. */
function shownIn({ kind, parent, plural, singleton }: Kind): string {
  const above = kinds.find(other => other.kind === parent)
  return above ? above.plural : singleton ? kind : plural
}

/**
 * The collections that an event makes stale. Device activity affects only collections that show device state.
 */
const touchedBy: Record<string, readonly string[]> = {
  ...Object.fromEntries(kinds.map(kind => [kind.kind, [shownIn(kind)]])),
  // What a schedule is on a day depends on all of these.
  calendar: ['calendars', 'sites', 'days'],
  calendar_day: ['calendars', 'days'],
  schedule: ['schedules', 'days', 'access'],
  // Who can open what follows from all of these.
  member: ['members', 'access'],
  member_group: ['member_groups', 'access'],
  member_group_association: ['members', 'access'],
  site: ['sites', 'days'],
  // A door is offline when its device is.
  device: ['devices', 'gadgets'],
  gadget: ['gadgets', 'devices', 'modes'],
  // What a door is follows from all of these.
  gadget_mode: ['gadgets', 'modes', 'emergencies'],
  unlock_rule: ['unlock_rules', 'gadgets', 'modes'],
  emergency: ['emergencies', 'gadgets', 'modes'],
  alarm: ['alarms', 'notifications'],
  gadget_action: ['gadgets'],
  gadget_state: ['gadgets'],
  hardware: ['devices'],
  invitation: ['users'],
  oauth_application: ['installations'],
}

/**
 * These queries receive each event from the stream. They are refetched only when the stream starts, for
 * earlier events.
 */
const told = ['events', 'last-day']

const all = Object.values(touchedBy).flat()

/**
 * How often a list is refetched at most, by how many pages of it are loaded, because a refetch loads them all, one after the
 * other. A list with more pages is not refetched.
 */
const paces = [
  { gap: 2000, from: 0, to: 3 },
  { gap: 10_000, from: 4, to: 10 },
]
const mostPages = 10

/** Refetches the visible queries of the affected collections, each at its pace. */
export function refreshTouched(queries: QueryClient, organization_id: string) {
  const invalidate = (plurals: ReadonlySet<string>, isMeant: (query: Query) => boolean) =>
    void queries.invalidateQueries({
      predicate: query =>
        query.queryKey[0] === organization_id && plurals.has(String(query.queryKey[1])) && isMeant(query),
    })
  const gatherers = paces.map(({ gap, from, to }) =>
    gatherFor(gap, plurals => invalidate(plurals, query => pagesOf(query) >= from && pagesOf(query) <= to)),
  )
  const add = (plurals: readonly string[]) => {
    for (const gatherer of gatherers) gatherer.add(plurals)
  }
  return {
    add(events: readonly LiveEvent[]): void {
      add(events.flatMap(({ object }) => touchedBy[object.type] ?? []))
    },
    /** Call now and then where no stream tells of changes. */
    addAll(): void {
      add(all)
    },
    /** Call when the stream starts: earlier responses may lack events from before it. */
    refreshAll(): void {
      invalidate(
        new Set([...all, ...told]),
        query => query.state.status === 'success' && pagesOf(query) <= mostPages,
      )
    },
    stop(): void {
      for (const gatherer of gatherers) gatherer.stop()
    },
  }
}

/** Passes on what was added, a while after the first of it. */
function gatherFor(gap: number, pass: (plurals: ReadonlySet<string>) => void) {
  let stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    const gathered = stale
    timer = undefined
    stale = new Set()
    pass(gathered)
  }
  return {
    add(plurals: readonly string[]): void {
      for (const plural of plurals) stale.add(plural)
      if (stale.size > 0) timer ??= setTimeout(flush, gap)
    },
    stop(): void {
      clearTimeout(timer)
    },
  }
}

/** Returns how many pages of a list are loaded, 0 if it is no list. */
function pagesOf(query: Query): number {
  const data = query.state.data as Partial<InfiniteData<unknown>> | undefined
  return data?.pages?.length ?? 0
}
