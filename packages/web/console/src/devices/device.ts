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
  return status.mains_present ? 'Mains' : '–'
}
