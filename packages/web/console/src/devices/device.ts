import { capabilitiesOf, catalogue } from '@gatehouse-access/api'
import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

type Named = { readonly id: string; readonly name: string }

export type Device = ItemOf<'devices'> & {
  readonly site?: Named
  readonly gadgets?: readonly (Named & { readonly actions: readonly Named[] })[]
}

export function powerWords(status: Device['status']): string {
  if (status.battery_present)
    return `${Math.round(status.battery_percent)} %${status.battery_charging ? t(', charging') : ''}`
  return status.mains_present ? t('Mains power') : '–'
}

/** From the catalogue, because not every role may ask the service for models. */
export function modelName(product_id: string): string {
  return catalogue.find(({ id }) => id === product_id)?.name ?? product_id
}

/** Describes a model: how many doors it drives, and what it reads. */
export function modelWords(product_id: string): string {
  const { gadgets, gadget_max_count, internet, pin, nfc } = capabilitiesOf(product_id)
  const reads = [pin && t('PINs'), nfc && t('cards')].filter(Boolean).join(t(' and '))
  if (gadgets === 'none') return reads ? t(`reads ${reads}`) : internet ? t('connects other devices') : ''
  const drives = gadgets === 'single' ? t('one door') : t(`up to ${gadget_max_count} doors`)
  return reads ? t(`${drives}, reads ${reads}`) : drives
}
