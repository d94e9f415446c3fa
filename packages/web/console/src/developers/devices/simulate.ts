import type { Client } from '@gatehouse-access/sdk'
import { t } from '../../language/t.ts'

export const faults = {
  stuck_door: [t('Stuck door'), t('The bolt moves but the door stays shut')],
  no_power: [t('No power'), t('The device does not respond')],
  slow: [t('Slow'), t('Commands are confirmed with a delay')],
  lost_network: [t('Network lost'), t('The device decides on its own and reports later')],
  wrong_clock: [t('Wrong clock'), t('The device reports wrong times')],
} as const
export type Fault = keyof typeof faults

export type SimulatedInput =
  | { readonly keys: string }
  | { readonly card: { readonly uid: string } }
  | { readonly phone: { readonly access_method: 'bluetooth' | 'mobile_nfc'; readonly member_id: string } }
  | { readonly state: { readonly gadget_id: string; readonly state_id: string } }
  | { readonly signal: { readonly gadget_id: string; readonly signal_id: string } }
  | { readonly network: 'offline' | 'online' }
  | { readonly fault: Fault | null }

/** The device's response to a simulated input. */
export type Simulation = Awaited<ReturnType<Client['devices']['simulate']>>
export type Happening = Simulation['events'][number]

export async function simulate(client: Client, id: string, input: SimulatedInput): Promise<Simulation> {
  return client.devices.simulate(id, input)
}

export type Simulate = (what: string, input: SimulatedInput) => Promise<void>
