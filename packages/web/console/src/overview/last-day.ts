import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { keyOf } from '../data/collections.ts'
import { useLiveEvents } from '../live/live.tsx'
import { useApi } from '../session/use-api.ts'

/** One use of a door, or one denial. */
export interface Happening {
  readonly id: string
  readonly at: number
  readonly gadget_id: string
  readonly is_denied: boolean
}

export interface Day {
  readonly happenings: readonly Happening[]
  /** Nothing is counted before this time, because there were too many events to load. */
  readonly since: number
  readonly is_loading: boolean
  readonly error: Error | null
  refetch(): void
}

export const hour = 3_600_000
const span = 24 * hour
const mostPages = 10
const types = ['gadget_action', 'access_denial'] as const

type Found = {
  readonly id: string
  readonly created_at: string
  readonly object: {
    readonly type: string
    readonly gadget_id?: string | null
    readonly gadget_trigger_id?: string | null
  }
}

/** Loads a day of door events: the newest thousand of each kind, then live events. */
export function useLastDay(): Day {
  const { client, organization } = useApi()
  const [live, setLive] = useState<readonly Happening[]>([])
  const [started] = useState(() => Date.now())
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(organization.id, 'last-day', started),
    queryFn: () => Promise.all(types.map(type => loadDay(client, type, started))),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useLiveEvents(events => {
    const fresh = events.flatMap(toHappening)
    if (fresh.length > 0) setLive(held => [...held, ...fresh].slice(-5000))
  })
  const happenings = useMemo(() => {
    const loaded = data?.flatMap(({ found }) => found) ?? []
    const known = new Set(loaded.map(({ id }) => id))
    return [...loaded, ...live.filter(({ id }) => !known.has(id))]
  }, [data, live])
  return {
    happenings,
    since: Math.max(started - span, ...(data?.map(({ since }) => since) ?? [])),
    is_loading: !data,
    error,
    refetch: () => void refetch(),
  }
}

async function loadDay(
  client: ReturnType<typeof useApi>['client'],
  type: (typeof types)[number],
  now: number,
) {
  const begin = now - span
  const query = { 'object.type': type, 'created_at:ge': new Date(begin).toISOString(), limit: 100 } as const
  const found: Happening[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.events.list({ ...query, ...(cursor && { cursor }) })
    found.push(...answer.data.flatMap(toHappening))
    cursor = answer.cursor_next
    if (!answer.has_next) return { found, since: begin }
  }
  return { found, since: found.at(-1)?.at ?? begin }
}

/** Skips actions that a trigger ran: the use that set off the trigger is already counted. */
function toHappening({ id, created_at, object }: Found): Happening[] {
  const is_door = object.type === 'gadget_action' || object.type === 'access_denial'
  return is_door && object.gadget_id && !object.gadget_trigger_id
    ? [
        {
          id,
          at: Date.parse(created_at),
          gadget_id: object.gadget_id,
          is_denied: object.type === 'access_denial',
        },
      ]
    : []
}
