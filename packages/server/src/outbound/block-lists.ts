/**
 * Networks that webhooks may not reach unless the operator allows it. Written out, because categories such as
 * "private" miss some of these.
 */
export const blockedIpv4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT; holds the metadata address 100.100.100.200
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // platform address of a cloud provider
  ['169.254.0.0', 16], // link-local; holds the metadata address 169.254.169.254
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; holds the metadata address 192.0.0.192
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast tunnels
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved and broadcast
]

/** Only this range holds public addresses. The blocks below are exceptions within it. */
export const openIpv6: readonly [string, number] = ['2000::', 3]

export const blockedIpv6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, Teredo tunnels
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address in disguise
  ['3fff::', 20], // documentation
  ['2620:4f:8000::', 48], // AS112
]
