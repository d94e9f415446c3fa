import { invalid } from '@gatehouse-access/api'
import type { Picture } from '../../mail/letter.ts'

const signatures: Record<string, RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
}

/** Reads a data URL. Checks the signature of the bytes, not only the declared media type. */
export function readPicture(field: string, data_url: string, most_bytes: number): Picture {
  const match = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/=]+)$/.exec(data_url)
  const [type = '', bytes] = [match?.[1], Buffer.from(match?.[2] ?? '', 'base64')]
  const is_image = signatures[type]?.test(bytes.subarray(0, 12).toString('hex'))
  if (!is_image || bytes.length > most_bytes)
    throw invalid(
      field,
      `${field} must be a data URL of a PNG, JPEG or WebP of at most ${most_bytes / 1000} kB`,
    )
  return { type, bytes }
}
