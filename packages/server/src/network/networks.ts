import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** Whether a text is an IP address or a network such as `10.1.0.0/16`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  return bits > 0 && isPrefix && rest.length === 0
}

/**
 * Returns the unit by which requests are counted: an IPv4 address itself, or the /64 of an IPv6 address. A
 * subscriber has at least a /64 and can change addresses within it at will.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare)) return address
  const groups = expand(bare).slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Returns the eight groups. A dotted ending becomes `0:0`: only its number of groups matters here. */
function expand(address: string): string[] {
  const [head = '', tail] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::')
  const [first, last] = [head, tail ?? ''].map(text => text.split(':').filter(group => group !== ''))
  const missing = 8 - (first?.length ?? 0) - (last?.length ?? 0)
  return [...(first ?? []), ...Array<string>(tail === undefined ? 0 : missing).fill('0'), ...(last ?? [])]
}

/** Converts IPv4-mapped IPv6 (`::ffff:127.0.0.1`) to IPv4. Removes brackets and zones (`fe80::1%eth0`). */
export function plainAddress(text: string): string {
  const address = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (dotted) return dotted
  const words = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address)
  if (!words) return address
  const [high = 0, low = 0] = words.slice(1).map(word => Number.parseInt(word, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

export function listOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6')
  return list
}

export function parseNetwork(text: string): readonly [string, number] {
  const [address = '', prefix] = text.split('/')
  return [address, prefix === undefined ? (isIPv4(address) ? 32 : 128) : Number(prefix)]
}

/** Returns a function that tells whether an address is in one of the networks. */
export function within(networks: readonly string[]): (address: string) => boolean {
  const list = listOf(networks.map(parseNetwork))
  return text => {
    const address = plainAddress(text)
    return isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}
