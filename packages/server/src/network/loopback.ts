import { isIPv4 } from 'node:net'

/** Whether a host name or address refers to this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** Whether only this machine can reach the service, by both its listen address and its public URL. */
export function isLocal({ host, public_url }: { host: string; public_url: string }): boolean {
  return isLoopback(host) && isLoopback(new URL(public_url).hostname.replace(/^\[|\]$/g, ''))
}
