import { useMemo } from 'react'
import type { QueryOf } from '../data/collections.ts'
import { type List, useList } from '../data/use-list.ts'
import { type Alarm, alarmExpands, type severities } from './alarm.ts'
import type { AlarmFilters } from './filters.ts'
import { type Folded, fold } from './fold.ts'

export interface OpenAlarms {
  readonly folded: readonly Folded[]
  /** How many are loaded, also those that are folded. */
  readonly count: number
  readonly has_more: boolean
  readonly is_loading: boolean
  readonly error: Error | null
  loadMore(): void
  refetch(): void
}

/** Loads the open alarms, one list for each severity: however many there are, the gravest come first. */
export function useOpenAlarms(filters: AlarmFilters): OpenAlarms {
  const critical = useSeverity('critical', filters)
  const warning = useSeverity('warning', filters)
  const info = useSeverity('info', filters)
  const lists = [critical, warning, info]
  const folded = useMemo(
    () => fold([...critical.items, ...warning.items, ...info.items]),
    [critical.items, warning.items, info.items],
  )
  return {
    folded,
    count: lists.reduce((sum, { items }) => sum + items.length, 0),
    has_more: lists.some(({ has_more }) => has_more),
    is_loading: lists.some(({ is_loading }) => is_loading),
    error: lists.find(({ error, items }) => error && items.length === 0)?.error ?? null,
    loadMore: () => lists.find(({ has_more }) => has_more)?.loadMore(),
    refetch: () => {
      for (const list of lists) list.refetch()
    },
  }
}

const nothing: List<never> = {
  items: [],
  has_more: false,
  is_loading: false,
  is_stale: false,
  error: null,
  loadMore: () => undefined,
  refetch: () => undefined,
}

function useSeverity(severity: (typeof severities)[number], filters: AlarmFilters): List<Alarm> {
  const is_wanted = !filters.severity || filters.severity === severity
  const query = { ...filters, severity, state: 'open', expand: alarmExpands } as QueryOf<'alarms'>
  const list = useList<'alarms', Alarm>('alarms', query, { enabled: is_wanted })
  return is_wanted ? list : nothing
}
