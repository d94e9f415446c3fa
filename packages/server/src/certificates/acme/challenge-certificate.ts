import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import { bitString, der, hostNames, integer, oid, sequence } from './der.ts'

/** The protocol in which the authority asks for a challenge certificate (RFC 8737). */
export const challengeProtocol = 'acme-tls/1'

/** Returns the self-signed certificate that proves control of a name over TLS. */
export function challengeCertificate(name: string, keyAuthorization: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid.ecdsa_with_sha256)
  const subject = sequence(der(0x31, sequence(oid.common_name, der(0x0c, Buffer.from(name)))))
  const content = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    subject,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(hostNames(name), proof(keyAuthorization))),
  )
  const whole = sequence(content, algorithm, bitString(sign('sha256', content, privateKey)))
  return { cert: pem(whole), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

function proof(keyAuthorization: string): Buffer {
  const digest = der(0x04, hash('sha256', keyAuthorization, 'buffer'))
  const critical = der(0x01, Buffer.of(0xff))
  return sequence(oid.acme_identifier, critical, der(0x04, digest))
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text))
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
