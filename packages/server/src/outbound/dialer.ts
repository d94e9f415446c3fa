import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { present } from '../flow/present.ts'
import { refuseForbidden } from './addresses.ts'
import type { Targets } from './targets.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

/** Returns every address of a name, on behalf of an organization. */
export type Resolve = (hostname: string, organizationId: string) => Promise<readonly Address[]>

/** Makes connections for an organization. */
export type Dial = (organizationId: string) => buildConnector.connector

class NoAddress extends Error {
  override name = 'NoAddress'
  readonly code = 'ENODATA'
}

const mostKept = 500

/**
 * Makes connections. A name is resolved once, all its addresses are checked, and the connection goes to a
 * checked address. There is no second lookup that could return another address.
 */
export function openDialer(targets: Targets, resolve: Resolve, timeout: number): Dial {
  const kept = new Map<string, buildConnector.connector>()
  return organizationId => {
    const known = kept.get(organizationId)
    if (known) return known
    if (kept.size >= mostKept) kept.clear()
    const lookup = checkedLookup(targets, hostname => resolve(hostname, organizationId))
    const made = buildConnector({ lookup, timeout, allowH2: false, maxCachedSessions: 100 })
    kept.set(organizationId, made)
    return made
  }
}

type ResolveOwn = (hostname: string) => Promise<readonly Address[]>

function checkedLookup(targets: Targets, resolve: ResolveOwn): LookupFunction {
  return (hostname, options, done) => {
    findAllowed(targets, resolve, hostname).then(
      addresses => {
        if (options.all) return done(null, addresses as never)
        const { address, family } = present(addresses[0], 'an address')
        done(null, address, family)
      },
      error => done(error, ''),
    )
  }
}

async function findAllowed(
  targets: Targets,
  resolve: ResolveOwn,
  hostname: string,
): Promise<readonly Address[]> {
  const addresses = await resolve(hostname)
  if (addresses.length === 0) throw new NoAddress(`${hostname} has no address`)
  for (const { address } of addresses) refuseForbidden(targets, address)
  return addresses
}
