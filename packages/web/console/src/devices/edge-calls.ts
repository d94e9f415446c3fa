import type { Client } from '@gatehouse-access/sdk'

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

interface EdgeCalls {
  readonly members: { sync?(id: string): Promise<MemberSync> }
}

/**
 * Types the optional edge call. The client has a method for each declared endpoint, and a service without
 * edge devices does not declare this one.
 */
export function edgeCalls(client: Client): EdgeCalls {
  return client as unknown as EdgeCalls
}
