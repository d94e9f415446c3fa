import { Resolver } from 'node:dns/promises'
import { codeOf } from '../flow/failures.ts'
import { Slots } from '../flow/slots.ts'
import type { Address, Resolve } from './dialer.ts'
import { readHosts, readSearch } from './name-files.ts'

interface NameOptions {
  /** Name servers to query, with ports. Defaults to those of the machine. */
  readonly servers?: readonly string[] | undefined
}

interface Known {
  readonly answer: Promise<readonly Found[]>
  /** Expiry in `performance.now()` time. Infinite while the lookup is pending. */
  until: number
}

const milliseconds = { timeout: 4000, shortest: 5000, longest: 300_000, refused: 3000 }
const mostKnown = 5000
/** Concurrent lookups, in all and per organization. */
const mostAsked = 512
const mostOfOne = 8

/** A failed lookup. `code` is the resolver's error code. */
class NameError extends Error {
  override name = 'NameError'
  readonly code: string

  constructor(hostname: string, cause: unknown) {
    super(`${hostname} cannot be resolved`, { cause })
    const code = codeOf(cause)
    // Not to be mistaken for a receiver that refuses connections.
    this.code = code === 'ECONNREFUSED' || code === undefined ? 'EAI_AGAIN' : code
  }
}

/**
 * Resolves names like the machine (`/etc/hosts`, then name servers with the search list), but without the
 * libuv thread pool. The pool has four threads for the whole process, and a slow name server would occupy one
 * per name. Here a slow name only costs its organization a slot. Answers are cached for their TTL (5 to 300
 * s), failures for 3 s.
 */
export function openNames({ servers }: NameOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: milliseconds.timeout, tries: 2 })
  if (servers) resolver.setServers(servers)
  const slots = new Slots(mostAsked, mostOfOne)
  const known = new Map<string, Known>()

  return async (hostname, organizationId) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const written = servers ? undefined : (await readHosts()).get(name)
    return written ?? recall(name, organizationId)
  }

  /** Shares a pending lookup only within the organization, because it may be waiting for a slot. */
  function recall(name: string, organizationId: string): Promise<readonly Address[]> {
    const own = `${name} ${organizationId}`
    const found = [known.get(name), known.get(own)].find(entry => entry && entry.until > performance.now())
    if (found) return found.answer
    const entry: Known = { answer: ask(name, organizationId), until: Number.POSITIVE_INFINITY }
    remember(own, entry)
    const keep = (time: number) => {
      known.delete(own)
      entry.until = performance.now() + time
      remember(name, entry)
    }
    entry.answer.then(
      addresses => keep(Math.min(...addresses.map(({ ttl = 0 }) => clamp(ttl * 1000)))),
      () => keep(milliseconds.refused),
    )
    return entry.answer
  }

  function remember(key: string, entry: Known): void {
    known.delete(key)
    known.set(key, entry)
    for (const oldest of known.keys()) {
      if (known.size <= mostKnown) break
      known.delete(oldest)
    }
  }

  function ask(name: string, organizationId: string): Promise<readonly Found[]> {
    return slots.pass(organizationId, async () =>
      askAll(resolver, servers ? [name] : await candidatesOf(name), name),
    )
  }
}

interface Found extends Address {
  readonly ttl?: number
}

function clamp(time: number): number {
  return Math.min(Math.max(time, milliseconds.shortest), milliseconds.longest)
}

/** Names with few dots try the search domains of the machine first. */
async function candidatesOf(name: string): Promise<readonly string[]> {
  const { domains, dots } = await readSearch()
  return name.split('.').length > dots ? [name] : [...domains.map(domain => `${name}.${domain}`), name]
}

async function askAll(resolver: Resolver, names: readonly string[], hostname: string): Promise<Found[]> {
  let failure: unknown
  for (const name of names) {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ])
    const found = [...valuesOf(four, 4), ...valuesOf(six, 6)]
    if (found.length > 0) return found
    if (four.status === 'rejected') failure = four.reason
  }
  throw new NameError(hostname, failure)
}

function valuesOf(result: PromiseSettledResult<{ address: string; ttl: number }[]>, family: number): Found[] {
  return result.status === 'fulfilled'
    ? result.value.map(({ address, ttl }) => ({ address, family, ttl }))
    : []
}
