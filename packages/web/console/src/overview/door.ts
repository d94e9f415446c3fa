import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

/** A gadget with its site and its device. */
export type Door = ItemOf<'gadgets'> & {
  readonly site?: { readonly name: string; readonly timezone: string }
  readonly device?: {
    readonly name: string
    readonly status: { readonly online: boolean; readonly missing_capabilities?: readonly string[] }
  }
}

/** Returns why nobody can run an action at this door from here, or undefined if it is allowed. */
export function whyNot(door: Door, whitelabel: boolean | undefined): string | undefined {
  if (whitelabel === false)
    return t(
      'Opening doors from here needs the whitelabel feature, which is turned off for this organization.',
    )
  if (door.device && !door.device.status.online) return t(`The device ${door.device.name} is offline.`)
  return undefined
}
