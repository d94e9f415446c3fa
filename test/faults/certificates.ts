import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A PEM certificate with its key, which exists only during the test. */
export interface Certificate {
  readonly name: string
  readonly pem: string
  readonly key: string
  readonly private_key: KeyObject
}

export interface CertificateOptions {
  /** The common name. */
  readonly name: string
  /** The host names and IPv4 addresses that the certificate is valid for. */
  readonly hosts?: readonly string[]
  /** The issuer. Omitted for a self-signed certificate, which may sign others. */
  readonly issuer?: Certificate
  /** Milliseconds from now until expiry. */
  readonly lifetime?: number
}

const oids = {
  ecdsa_with_sha256: '06082a8648ce3d040302',
  common_name: '0603550403',
  basic_constraints: '0603551d13',
  alternative_names: '0603551d11',
}

/** Creates an X.509 certificate. Node can read certificates but not create them. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { name, issuer } = options
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = node(0x30, Buffer.from(oids.ecdsa_with_sha256, 'hex'))
  const content = node(
    0x30,
    node(0xa0, node(0x02, Buffer.of(2))),
    node(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    nameOf(issuer?.name ?? name),
    validity(options.lifetime ?? 3_600_000),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, node(0x30, ...extensions(options))),
  )
  const signature = sign('sha256', content, issuer?.private_key ?? privateKey)
  const whole = node(0x30, content, algorithm, node(0x03, Buffer.of(0), signature))
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return { name, pem: pemOf(whole), key, private_key: privateKey }
}

/** Encodes one DER element: tag, length, content. */
function node(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function nameOf(text: string): Buffer {
  const type = Buffer.from(oids.common_name, 'hex')
  return node(0x30, node(0x31, node(0x30, type, node(0x0c, Buffer.from(text)))))
}

function validity(lifetime: number): Buffer {
  const times = [Date.now() - 86_400_000, Date.now() + lifetime]
  return node(0x30, ...times.map(time => node(0x18, Buffer.from(formatTime(time)))))
}

function formatTime(time: number): string {
  return `${new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
}

function extensions({ hosts = [], issuer }: CertificateOptions): Buffer[] {
  const names = hosts.map(host =>
    isIPv4(host) ? node(0x87, Buffer.from(host.split('.').map(Number))) : node(0x82, Buffer.from(host)),
  )
  const found = []
  if (!issuer) found.push(extension(oids.basic_constraints, node(0x30, node(0x01, Buffer.of(255)))))
  if (names.length > 0) found.push(extension(oids.alternative_names, node(0x30, ...names)))
  return found
}

function extension(oid: string, content: Buffer): Buffer {
  return node(0x30, Buffer.from(oid, 'hex'), node(0x04, content))
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
