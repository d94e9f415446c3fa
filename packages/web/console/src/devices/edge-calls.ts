import type { Client } from '@gatehouse/sdk'

export interface Happening {
  readonly type: 'use' | 'denial' | 'trigger' | 'state' | 'signal'
  readonly occurred_at: string
  readonly gadget_id: string | null
  readonly action_id: string | null
  readonly reason: string | null
}

export interface Simulation {
  readonly events: readonly Happening[]
  readonly online: boolean
  readonly buffered_events: number
}

export interface SyncItem {
  readonly type: 'member' | 'member_group_association' | 'member_pin' | 'member_card'
  readonly id: string
  readonly is_deleted: boolean
  readonly state: 'applied' | 'pending' | 'nowhere'
  readonly devices: number
  readonly applied_devices: number
  readonly at_risk: boolean
  readonly pending_devices: readonly { readonly device_id: string; readonly applied_at: string | null }[]
}

export interface MemberSync {
  readonly state: SyncItem['state']
  readonly at_risk: boolean
  readonly items: readonly SyncItem[]
}

export type SimulateBody =
  | { readonly keys: string }
  | { readonly card: { readonly uid: string } }
  | { readonly network: 'offline' | 'online' }

interface EdgeCalls {
  readonly devices: { simulate?(id: string, body: SimulateBody): Promise<Simulation> }
  readonly members: { sync?(id: string): Promise<MemberSync> }
}

/** The client's methods are the endpoints of the declarations; one without edge devices lacks these two. */
export function edgeCalls(client: Client): EdgeCalls {
  return client as unknown as EdgeCalls
}
