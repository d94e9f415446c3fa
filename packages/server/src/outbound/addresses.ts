import { isIP } from 'node:net'
import type { Targets } from './targets.ts'

class AddressRefused extends Error {
  override name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'
}

/** Returns the address in a URL without the brackets of IPv6, or undefined if it is a name. */
export function literalAddress(hostname: string): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? undefined : address
}

/** Addresses in a URL are never looked up, so they are checked before the connection. */
export function checkLiteral(targets: Targets, { hostname }: URL): void {
  const address = literalAddress(hostname)
  if (address !== undefined) refuseForbidden(targets, address)
}

export function refuseForbidden(targets: Targets, address: string): void {
  if (!targets.isAllowed(address)) throw new AddressRefused(`deliveries to ${address} are not allowed`)
}
