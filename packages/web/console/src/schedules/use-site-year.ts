import type { ZoneTable } from '@gatehouse-access/core'
import { useCallback, useMemo } from 'react'
import { addDays } from '../parts/dates.ts'
import { exceptionOn, type PreviewDay, type ScheduleValues } from './schedule.ts'
import { type Period, usePreview, useSiteDays } from './use-site-days.ts'
import { weeksShown, yearFrom } from './year.ts'

/** A schedule at a site, with what is not saved yet. */
export interface AtSite {
  readonly schedule_id: string
  readonly site_id: string | undefined
  readonly zone: (ZoneTable & { readonly timezone: string }) | undefined
  readonly today: string | undefined
  readonly values: ScheduleValues
  readonly is_saved: boolean
}

/**
 * Returns the days of a schedule at a site for a year, with their names: from this week on, or as many years of
 * 52 weeks later, or earlier if negative.
 */
export function useSiteYear({ schedule_id, site_id, zone, today, values, is_saved }: AtSite, years = 0) {
  const period = usePeriod(today, years)
  const { data: special } = useSiteDays(site_id, period)
  const { data, error, refetch } = usePreview({
    schedule_id,
    site_id,
    period,
    unsaved: is_saved ? undefined : values,
    zone,
    days: special,
  })
  const names = useMemo(
    () =>
      new Map(special?.data.flatMap(({ days }) => days.map(day => [day.calendar_day_id, day.name] as const))),
    [special],
  )
  const { exceptions } = values
  const nameOf = useCallback(
    ({ source, date, calendar_day_id }: PreviewDay) =>
      source === 'exception' ? exceptionOn(exceptions, date)?.name : names.get(calendar_day_id ?? ''),
    [exceptions, names],
  )
  return { period, days: data, nameOf, error, refetch }
}

/** Returns the kinds of the special days of a site in the year to come. */
export function useSiteKinds({ site_id, today }: AtSite): readonly string[] {
  const { data } = useSiteDays(site_id, usePeriod(today, 0))
  return useMemo(() => [...new Set(data?.data.flatMap(({ kinds }) => kinds))], [data])
}

function usePeriod(today: string | undefined, years: number): Period | undefined {
  return useMemo(
    () => (today === undefined ? undefined : yearFrom(addDays(today, years * (weeksShown - 1) * 7))),
    [today, years],
  )
}
