import { invalid } from '@gatehouse-access/api'
import { literalAddress } from './addresses.ts'
import { openTargets, targetsOf } from './targets.ts'

/**
 * Throws if a URL leads to an address that nothing may be sent to. Checks literal addresses only: a name may
 * resolve differently later, so it is checked when connecting.
 */
export function refuseUnreachable(config: Parameters<typeof targetsOf>[0], field: string, url: string): void {
  const address = literalAddress(new URL(url).hostname)
  if (address === undefined || openTargets(targetsOf(config)).isAllowed(address)) return
  throw invalid(
    field,
    `${field} must lead to a public address, but ${address} is private or reserved; the operator can allow it with GATEHOUSE_WEBHOOK_ALLOW`,
  )
}
