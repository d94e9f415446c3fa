import { type DayOfSite, previewDays, type ZoneTable } from '@gatehouse-access/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'
import type { PreviewDay, ScheduleValues } from './schedule.ts'

export interface Period {
  readonly from: string
  readonly to: string
}

/**
 * Loads the clock of a site: its zone by the data of the service. The browser may know the zone differently,
 * or not at all.
 */
export function useZone(site_id: string | undefined) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'days', 'zone', site_id),
    queryFn: ({ signal }) => client.sites.zone(site_id as string, { signal }),
    enabled: site_id !== undefined,
    staleTime: 600_000,
  })
}

/** Loads the special dates of a site, with what makes them special. */
export function useSiteDays(site_id: string | undefined, period: Period | undefined) {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'days', 'site', site_id, period),
    queryFn: ({ signal }) => client.sites.days(site_id as string, { ...(period as Period), signal }),
    enabled: site_id !== undefined && period !== undefined,
    staleTime: 60_000,
  })
}

type SiteDays = NonNullable<ReturnType<typeof useSiteDays>['data']>

interface Asked {
  readonly schedule_id: string
  readonly site_id: string | undefined
  readonly period: Period | undefined
  /** What is not saved yet. Undefined if everything is. */
  readonly unsaved: ScheduleValues | undefined
  readonly zone: (ZoneTable & { readonly timezone: string }) | undefined
  readonly days: SiteDays | undefined
}

/**
 * Returns the times of each day: those of the service, or, for what is not saved, those that the same code
 * computes here.
 */
export function usePreview(asked: Asked) {
  const { client, organization } = useApi()
  const { schedule_id, site_id, period } = asked
  const saved = useQuery({
    queryKey: keyOf(organization.id, 'days', 'preview', schedule_id, site_id, period),
    queryFn: ({ signal }) =>
      client.schedules.preview(schedule_id, {
        site_id: site_id as string,
        ...(period as Period),
        signal,
      }),
    enabled: site_id !== undefined && period !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const unsaved = useDeferredValue(asked.unsaved)
  const { zone, days } = asked
  const computed = useMemo(
    () => unsaved && period && zone && days && compute(unsaved, zone, days, period),
    [unsaved, zone, days, period],
  )
  // Only what is read here draws its readers anew when it changes.
  const { data, error, refetch } = saved
  return { data: (asked.unsaved && computed) || data?.data, error, refetch }
}

/** What was computed last for some values. Several parts of a page ask for the same. */
const computed = new WeakMap<ScheduleValues, Computed>()

interface Computed {
  readonly from: string
  readonly zone: ZoneTable
  readonly days: SiteDays
  readonly preview: PreviewDay[]
}

function compute(
  values: ScheduleValues,
  zone: ZoneTable & { readonly timezone: string },
  days: SiteDays,
  { from, to }: Period,
): PreviewDay[] {
  const held = computed.get(values)
  if (held && held.from === from && held.zone === zone && held.days === days) return held.preview
  const site = { timezone: zone.timezone, table: zone, days: days.data.flatMap(toDaysOfSite) }
  const preview = previewDays(values, site, from, to)
  computed.set(values, { from, zone, days, preview })
  return preview
}

function toDaysOfSite({ date, days }: SiteDays['data'][number]): DayOfSite[] {
  return days.map(({ calendar_day_id, kind }) => ({
    id: calendar_day_id,
    kind,
    starts_on: date,
    ends_on: null,
    recurrence: 'none' as const,
  }))
}
