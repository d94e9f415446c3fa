/** Encodes one DER element: tag, length, content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, ...lengthOf(content.length)), content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
export const integer = (value: Uint8Array): Buffer => der(0x02, value)
export const bitString = (bits: Uint8Array): Buffer => der(0x03, Buffer.of(0), bits)

/** Object identifiers, already encoded. */
export const oid = {
  ecdsa_with_sha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  common_name: Buffer.from('0603550403', 'hex'),
  alternative_names: Buffer.from('0603551d11', 'hex'),
  extension_request: Buffer.from('06092a864886f70d01090e', 'hex'),
  acme_identifier: Buffer.from('06082b0601050507011f', 'hex'),
}

/** The extension that names the host a certificate is for. */
export function hostNames(name: string): Buffer {
  return sequence(oid.alternative_names, der(0x04, sequence(der(0x82, Buffer.from(name)))))
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}
