import { type AccessMethod, accessMethods } from '@gatehouse-access/core'
import { spoken, t } from '../language/t.ts'
import { capital } from '../parts/capital.ts'

/** Worded to follow `by`: `by card`, `by phone (online)`. */
export const methodWords: Record<AccessMethod, string> = spoken({
  online: 'phone (online)',
  bluetooth: 'phone (Bluetooth)',
  mobile_nfc: 'phone (NFC)',
  pin: 'PIN',
  card: 'card',
})

/** Returns the method with an initial capital, for use on its own: `Phone (online)`. */
export function methodTitle(method: AccessMethod): string {
  return capital(methodWords[method])
}

export const methodChoices = accessMethods.map(value => ({ value, label: methodTitle(value) }))

/** Returns `card, PIN`, or `any method`. */
export function methodsText(methods: readonly AccessMethod[]): string {
  if (methods.length === accessMethods.length) return t('any method')
  return methods.map(method => methodWords[method]).join(', ')
}
