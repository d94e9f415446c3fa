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
export function networkOf(text: string): string {
  const address = plainAddress(text)
  if (!isIPv6(address)) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map(group => group.toString(16)).join(':')}::/64`
}

/**
 * Removes brackets and zones (`fe80::1%eth0`), and converts IPv4-mapped IPv6 to IPv4, in every notation:
 * `::ffff:127.0.0.1`, `::ffff:7f00:1`, `0:0:0:0:0:ffff:7f00:1`.
 */
export function plainAddress(text: string): string {
  const address = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!/:ffff:/i.test(address) || !isIPv6(address)) return address
  const [a, b, c, d, e, mark, high = 0, low = 0] = groupsOf(address)
  if (a || b || c || d || e || mark !== 0xffff) return address
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, dottedAsGroups).split('::')
  const [first = [], last = []] = [head, tail ?? ''].map(groups)
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<number>(missing).fill(0), ...last]
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}

function dottedAsGroups(_dotted: string, ...bytes: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
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
