import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { bitString, der, hostNames, integer, oid, sequence } from './der.ts'

/** Returns a certificate signing request for one host name (PKCS #10), in DER. */
export function signingRequest(name: string, key: KeyObject): Buffer {
  const content = sequence(
    integer(Buffer.of(0)),
    // The subject is empty: authorities read the alternative names.
    sequence(),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(0xa0, sequence(oid.extension_request, der(0x31, sequence(hostNames(name))))),
  )
  return sequence(content, sequence(oid.ecdsa_with_sha256), bitString(sign('sha256', content, key)))
}
