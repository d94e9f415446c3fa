import { type AccessMethod, accessMethods } from '@gatehouse/core'
import { capital } from '../parts/capital.ts'

/** As they follow `by`: `by card`, `by phone (online)`. */
export const methodWords: Record<AccessMethod, string> = {
  online: 'phone (online)',
  bluetooth: 'phone (Bluetooth)',
  mobile_nfc: 'phone (NFC)',
  pin: 'PIN',
  card: 'card',
}

/** On its own, so with a capital: `Phone (online)`. */
export function methodTitle(method: AccessMethod): string {
  return capital(methodWords[method])
}

export const methodChoices = accessMethods.map(value => ({ value, label: methodTitle(value) }))
