import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { useQueries } from '@tanstack/react-query'
import { keyOf } from '../data/collections.ts'
import { type List, usePages } from '../data/use-list.ts'
import type { Door } from '../overview/door.ts'
import { useApi } from '../session/use-api.ts'
import type { Emergency } from './emergency.ts'

type Named = { readonly gadget?: Pick<Door, 'id' | 'name' | 'door' | 'site'> }

/** A door of an emergency, as the service tells it. */
export type EmergencyDoor = ObjectOf<Resources['emergency_door']> & Named
export type DoorState = EmergencyDoor['state']

const expand = ['gadget.site']

/** Lists the doors of an emergency with how far it has come to each. */
export function useEmergencyDoors(id: string, state: DoorState | undefined): List<EmergencyDoor> {
  const { client, organization } = useApi()
  return usePages<EmergencyDoor>(
    keyOf(organization.id, 'emergencies', 'doors', id, state),
    (cursor, signal) =>
      client.emergencies.doors<Named>(id, {
        ...(state && { state }),
        expand,
        limit: 100,
        ...(cursor && { cursor }),
        signal,
      }),
  )
}

/** The worst first. A door that cannot follow is not missing: it never will. */
const missing = ['failed', 'offline', 'sent'] as const

/** Loads a few of the doors that have not confirmed. */
export function useMissingDoors({ id, arrival }: Emergency, most: number): readonly EmergencyDoor[] {
  const { client, organization } = useApi()
  const asked = useQueries({
    queries: missing.map(state => ({
      queryKey: keyOf(organization.id, 'emergencies', 'missing', id, state),
      queryFn: () => client.emergencies.doors<Named>(id, { state, expand, limit: most }),
      enabled: arrival === 'pending',
    })),
  })
  return asked.flatMap(({ data }) => data?.data ?? []).slice(0, most)
}
