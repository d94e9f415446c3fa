import { ECDH } from 'node:crypto'
import { invalid } from '@gatehouse-access/api'
import type { Config } from '../../config/config.ts'
import { isLocal, isLoopback } from '../../network/loopback.ts'
import { literalAddress } from '../../outbound/addresses.ts'
import { openTargets, targetsOf } from '../../outbound/targets.ts'

/** Throws unless messages may be sent to the endpoint of a browser. Messages never repeat it: it is a secret. */
export function checkEndpoint(config: Config, endpoint: string): void {
  if (!URL.canParse(endpoint)) throw invalid('endpoint', 'endpoint must be an https URL')
  const { protocol, hostname, username, password } = new URL(endpoint)
  const host = hostname.replace(/^\[|\]$/g, '')
  const is_own = protocol === 'http:' && isLocal(config) && isLoopback(host)
  if (username + password !== '') throw invalid('endpoint', 'endpoint must be a URL without a password')
  if (protocol !== 'https:' && !is_own)
    throw invalid('endpoint', `endpoint must be an https URL, not one that begins with ${protocol}`)
  const address = literalAddress(hostname)
  if (address !== undefined && !openTargets(targetsOf(config)).isAllowed(address))
    throw invalid('endpoint', `endpoint must lead to a public address, but ${address} is private or reserved`)
}

/** Throws unless these are a point on the curve and a secret of 16 bytes, as browsers make them. */
export function checkKeys({ p256dh, auth }: { readonly p256dh: string; readonly auth: string }): void {
  if (!isPoint(Buffer.from(p256dh, 'base64url')))
    throw invalid('keys.p256dh', 'keys.p256dh must be a public key of a browser: 65 bytes in base64url')
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw invalid('keys.auth', 'keys.auth must be 16 bytes in base64url')
}

function isPoint(bytes: Buffer): boolean {
  try {
    return bytes.length === 65 && ECDH.convertKey(bytes, 'prime256v1').length > 0
  } catch {
    return false
  }
}
