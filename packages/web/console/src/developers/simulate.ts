import type { Client } from '@gatehouse/sdk'

export const faults = {
  stuck_door: ['Stuck door', 'The bolt moves, the door does not'],
  no_power: ['No power', 'The device does nothing at all'],
  slow: ['Slow', 'Commands are confirmed late'],
  lost_network: ['Lost network', 'It decides alone and reports later'],
  wrong_clock: ['Wrong clock', 'Its times are off'],
} as const
export type Fault = keyof typeof faults

export type Doing =
  | { readonly keys: string }
  | { readonly card: { readonly uid: string } }
  | { readonly phone: { readonly access_method: 'bluetooth' | 'mobile_nfc'; readonly member_id: string } }
  | { readonly network: 'offline' | 'online' }
  | { readonly fault: Fault | null }

export interface Happening {
  readonly type: 'use' | 'denial' | 'trigger' | 'state' | 'signal'
  readonly occurred_at: string
  readonly gadget_id: string | null
  readonly action_id: string | null
  readonly state_id: string | null
  readonly signal_id: string | null
  readonly reason: string | null
}

export interface Simulation {
  readonly events: readonly Happening[]
  readonly online: boolean
  readonly buffered_events: number
  readonly fault?: Fault | null
  readonly fault_until?: string | null
}

interface Simulating {
  readonly devices: { simulate?(id: string, doing: Doing): Promise<Simulation> }
}

/** The client's methods are the endpoints of the declarations, so a service without virtual devices lacks this one. */
export function canSimulate(client: Client): boolean {
  return (client as unknown as Simulating).devices.simulate !== undefined
}

export async function simulate(client: Client, id: string, doing: Doing): Promise<Simulation> {
  const { devices } = client as unknown as Simulating
  if (!devices.simulate) throw new Error('this service has no virtual devices')
  return devices.simulate(id, doing)
}
