import type { Client, Page } from '@gatehouse-access/sdk'
import type { StandingAccess } from '../access/standing.ts'
import type { Door } from '../overview/door.ts'

export interface PersonAccess extends StandingAccess {
  readonly member_id: string
  readonly member?: { readonly name: string | null }
}

interface Paging {
  readonly limit: number
  readonly cursor?: string
  readonly signal?: AbortSignal
}

/** Returns a page of everybody who can open the door, now or later. */
export function peopleOf(client: Client, door: Door, paging: Paging): Promise<Page<PersonAccess>> {
  const action_id = usualAction(door)
  return client.gadgets.access(door.id, {
    ever: true,
    ...(action_id && { action_id }),
    expand: ['member'],
    ...paging,
  })
}

export function usualAction({ door, actions }: Door): string | undefined {
  return door?.release_action_id ?? actions[0]?.id
}
