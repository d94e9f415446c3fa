import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Address } from './dialer.ts'

const freshness = 5000

/** The names of `/etc/hosts`. Empty if the file does not exist. */
export const readHosts = keeping('/etc/hosts', parseHosts)

/** The search domains, which names with fewer than `dots` dots try first. */
export const readSearch = keeping('/etc/resolv.conf', parseSearch)

/** Rereads the file if the cached value is older than 5 s, since it may change at any time. */
function keeping<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let known: { readonly at: number; readonly value: Promise<T> } | undefined
  return () => {
    if (!known || performance.now() - known.at > freshness)
      known = {
        at: performance.now(),
        value: readFile(path, 'utf8')
          .catch(() => '')
          .then(parse),
      }
    return known.value
  }
}

export function parseHosts(text: string): Map<string, Address[]> {
  const hosts = new Map<string, Address[]>()
  for (const [address = '', ...names] of wordsOf(text)) {
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(name => name.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }])
  }
  return hosts
}

export function parseSearch(text: string): { readonly domains: readonly string[]; readonly dots: number } {
  const lines = wordsOf(text)
  const last = lines.findLast(([word]) => word === 'search' || word === 'domain')
  const options = lines.filter(([word]) => word === 'options').flat()
  const dots = options.findLast(option => option.startsWith('ndots:'))?.slice('ndots:'.length)
  const domains = (last ?? []).slice(1).map(domain => domain.replace(/\.$/, ''))
  return { domains: domains.filter(Boolean), dots: Number(dots ?? 1) }
}

function wordsOf(text: string): string[][] {
  const lines = text.split('\n').map(line => line.replace(/[#;].*/, '').trim())
  return lines.filter(Boolean).map(line => line.split(/\s+/))
}
