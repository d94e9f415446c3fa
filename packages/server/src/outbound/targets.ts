import { isIP, isIPv4 } from 'node:net'
import type { Config } from '../config/config.ts'
import { isLocal } from '../network/loopback.ts'
import { listOf, parseNetwork, plainAddress } from '../network/networks.ts'
import { blockedIpv4, blockedIpv6, openIpv6 } from './block-lists.ts'

/** Decides which addresses deliveries may go to. */
export interface Targets {
  isAllowed(address: string): boolean
}

export interface TargetOptions {
  /** Addresses and networks (`10.1.0.0/16`) to allow although they are blocked by default. */
  readonly allow: readonly string[]
  /** Allows loopback: everything runs on this machine, so its addresses need no protection. */
  readonly loopback: boolean
}

export function targetsOf(config: Pick<Config, 'webhook_allow' | 'host' | 'public_url'>): TargetOptions {
  return { allow: config.webhook_allow, loopback: isLocal(config) }
}

const blocked = listOf([...blockedIpv4, ...blockedIpv6])
const open = listOf([openIpv6])

export function openTargets({ allow, loopback }: TargetOptions): Targets {
  const own = loopback ? ['127.0.0.0/8', '::1'] : []
  const allowed = listOf([...allow, ...own].map(parseNetwork))
  const decide = (text: string): boolean => {
    const address = plainAddress(text)
    if (isIP(address) === 0) return false
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (allowed.check(address, family)) return true
    return family === 'ipv4'
      ? !blocked.check(address, family)
      : open.check(address, family) && !blocked.check(address, family)
  }
  return { isAllowed: remembering(decide) }
}

const mostRemembered = 1000

/** Caches decisions: the lists never change, and every delivery to a literal address asks. */
function remembering(decide: (address: string) => boolean): (address: string) => boolean {
  const known = new Map<string, boolean>()
  return address => {
    const found = known.get(address)
    if (found !== undefined) return found
    if (known.size >= mostRemembered) known.clear()
    const decision = decide(address)
    known.set(address, decision)
    return decision
  }
}
