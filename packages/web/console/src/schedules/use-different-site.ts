import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { useApi } from '../session/use-api.ts'
import { exceptionOn, type ScheduleValues } from './schedule.ts'

type Reacting = Pick<ScheduleValues, 'special_days' | 'exceptions'>

/** Sites that observe the same calendars, and what kinds of day a date is for them. */
interface Alike {
  /** The name of one of them. */
  readonly name: string
  readonly ids: ReadonlySet<string>
  readonly kinds: readonly string[]
}

/**
 * Returns the name of a site where one of the schedules has other times on a date than at the site that is shown, because it
 * observes other calendars; null if there is none, undefined while that is not known. An exception says the times for all sites.
 */
export function useDifferentSite(
  date: string | undefined,
  schedules: readonly Reacting[],
  site_id: string | undefined,
): string | null | undefined {
  const { client, organization } = useApi()
  const asked = schedules.filter(
    ({ exceptions, special_days }) =>
      date !== undefined && special_days.length > 0 && !exceptionOn(exceptions, date),
  )
  const { data } = useQuery({
    queryKey: keyOf(organization.id, 'days', 'alike', date),
    enabled: asked.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Alike[]> => {
      const sites: { id: string; name: string; calendar_ids: readonly string[] }[] = []
      for await (const site of client.sites.all({ sort: 'name:asc', limit: 100, signal })) sites.push(site)
      const groups = Map.groupBy(sites, ({ calendar_ids }) => calendar_ids.toSorted().join())
      return Promise.all(
        [...groups].map(async ([calendars, [first, ...others]]) => {
          const { id = '', name = '' } = first ?? {}
          const asked = { from: date as string, to: date as string, signal }
          const kinds = calendars
            ? (await client.sites.days(id, asked)).data.flatMap(({ kinds }) => kinds)
            : []
          return { name, ids: new Set([id, ...others.map(other => other.id)]), kinds }
        }),
      )
    },
  })
  if (asked.length === 0) return null
  if (!data) return undefined
  const here = data.find(({ ids }) => site_id !== undefined && ids.has(site_id))?.kinds ?? []
  return data.find(({ kinds }) => asked.some(schedule => !isSame(schedule, here, kinds)))?.name ?? null
}

function isSame(schedule: Reacting, kinds: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(specialTimes(schedule, kinds)) === JSON.stringify(specialTimes(schedule, others))
}

/** Returns the times of a date by what it is. Undefined: those of the week. */
function specialTimes({ special_days }: Reacting, kinds: readonly string[]) {
  return special_days.find(({ kind }) => kinds.includes(kind))?.ranges
}
