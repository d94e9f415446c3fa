import type { ZoneTable } from '@gatehouse-access/core'
import { useCallback, useMemo } from 'react'
import { addDays } from '../parts/dates.ts'
import { exceptionOn, type PreviewDay, type ScheduleValues } from './schedule.ts'
import { usePreview, useSiteDays } from './use-site-days.ts'
import { weeksShown, yearFrom } from './year.ts'

interface Asked {
  readonly schedule_id: string
  readonly site_id: string | undefined
  readonly zone: (ZoneTable & { readonly timezone: string }) | undefined
  readonly today: string | undefined
  /** How many years of 52 weeks later, or earlier if negative. */
  readonly years: number
  readonly values: ScheduleValues
  readonly is_saved: boolean
}

/** Returns the days of a schedule at a site for a year from this week on, with their names. */
export function useSiteYear({ schedule_id, site_id, zone, today, years, values, is_saved }: Asked) {
  const period = useMemo(
    () => (today === undefined ? undefined : yearFrom(addDays(today, years * (weeksShown - 1) * 7))),
    [today, years],
  )
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
  const kinds = useMemo(() => [...new Set(special?.data.flatMap(({ kinds }) => kinds))], [special])
  return { period, days: data, nameOf, kinds, error, refetch }
}
