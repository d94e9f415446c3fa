import { isIP } from 'node:net'

/** Whether a text is an IP address, or a network such as `10.1.0.0/16`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  return bits > 0 && isPrefix && rest.length === 0
}
