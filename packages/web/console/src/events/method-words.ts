import { type AccessMethod, accessMethods } from '@gatehouse/core'

/** As they follow `by`: `by card`, `by phone (online)`. */
export const methodWords: Record<AccessMethod, string> = {
  online: 'phone (online)',
  bluetooth: 'phone (Bluetooth)',
  mobile_nfc: 'phone (NFC)',
  pin: 'PIN',
  card: 'card',
}

/** To choose from, so each begins with a capital. */
export const methodChoices = accessMethods.map(value => ({
  value,
  label: methodWords[value].charAt(0).toUpperCase() + methodWords[value].slice(1),
}))
