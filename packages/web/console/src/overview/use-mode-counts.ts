import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { type Effective, modesInOrder } from '../modes/mode.ts'
import { useApi } from '../session/use-api.ts'

/** How many doors are counted at most: ten requests. */
const mostPages = 10

export interface ModeCounts {
  readonly total: number
  readonly of: Readonly<Record<Effective, readonly string[]>>
  /** The doors whose devices have not confirmed their mode. */
  readonly unconfirmed: readonly string[]
  readonly has_more: boolean
}

/** Counts doors by mode, with the names of those that are not as usual. */
export function useModeCounts() {
  const { client, organization } = useApi()
  return useQuery({
    queryKey: keyOf(organization.id, 'modes', 'counts'),
    queryFn: async ({ signal }): Promise<ModeCounts> => {
      const { doors, has_more } = await loadDoors(client, signal)
      const inMode = (mode: Effective) => doors.filter(door => door.mode.effective === mode)
      return {
        total: doors.length,
        of: Object.fromEntries(
          modesInOrder.map(mode => [mode, inMode(mode).map(({ name }) => name)]),
        ) as Record<Effective, string[]>,
        unconfirmed: doors.filter(({ mode }) => !mode.is_confirmed).map(({ name }) => name),
        has_more,
      }
    },
  })
}

async function loadDoors(client: ReturnType<typeof useApi>['client'], signal: AbortSignal) {
  const doors = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.gadgets.list({ limit: 100, ...(cursor && { cursor }), signal })
    for (const { name, mode } of answer.data) if (mode) doors.push({ name, mode })
    cursor = answer.cursor_next
    if (!answer.has_next) return { doors, has_more: false }
  }
  return { doors, has_more: true }
}
