import type { UnknownCard } from '@gatehouse-access/api'
import { t } from '../language/t.ts'

/** Says why an unknown card cannot be given to somebody. */
export function whyNotFree({ uid, is_lost, is_free }: UnknownCard): string | undefined {
  if (is_lost) return t(`The card ${uid} was reported lost. Mark it as found before you give it to somebody.`)
  if (!is_free) return t(`Somebody else has the card ${uid}, without access at this door.`)
  return undefined
}
