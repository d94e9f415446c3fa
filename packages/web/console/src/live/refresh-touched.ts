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
const gap = 2000
const mostPages = 3

/** Refetches the visible queries of the affected collections, at most every two seconds. */
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
    /** Call when the stream starts: earlier responses may lack events from before it. */
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

/** Leaves out lists with many loaded pages, because a refetch would load all of them from the start. */
function isSmall(query: Query): boolean {
  const data = query.state.data as Partial<InfiniteData<unknown>> | undefined
  return (data?.pages?.length ?? 0) <= mostPages
}
