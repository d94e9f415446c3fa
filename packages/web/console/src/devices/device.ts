import { capabilitiesOf } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'

type Named = { readonly id: string; readonly name: string }

export type Device = ItemOf<'devices'> & {
  readonly site?: Named
  readonly product?: Named
  readonly gadgets?: readonly (Named & { readonly actions: readonly Named[] })[]
}

export function powerWords(status: Device['status']): string {
  if (status.battery_present)
    return `${Math.round(status.battery_percent)} %${status.battery_charging ? ', charging' : ''}`
  return status.mains_present ? 'Mains power' : '–'
}

/** Describes a model: how many doors it drives, and what it reads. */
export function modelWords(product_id: string): string {
  const { gadgets, gadget_max_count, internet, pin, nfc } = capabilitiesOf(product_id)
  const reads = [pin && 'PINs', nfc && 'cards'].filter(Boolean).join(' and ')
  if (gadgets === 'none') return reads ? `reads ${reads}` : internet ? 'connects other devices' : ''
  const drives = gadgets === 'single' ? 'one door' : `up to ${gadget_max_count} doors`
  return reads ? `${drives}, reads ${reads}` : drives
}
