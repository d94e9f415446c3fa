import { clearable, invalid, text } from '@gatehouse-access/api'
import type { Picture } from '../../mail/letter.ts'

export const logoPart = clearable(text(200_000), 'A PNG, JPEG or WebP of at most 100 kB, as a data URL.')

const signatures: Record<string, RegExp> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
}

/** Checks the signature of the bytes, not only the declared media type. */
export function readLogo(data_url: string): Picture {
  const match = /^data:(image\/(?:png|jpeg|webp));base64,([A-Za-z0-9+/=]+)$/.exec(data_url)
  const [type = '', bytes] = [match?.[1], Buffer.from(match?.[2] ?? '', 'base64')]
  const is_image = signatures[type]?.test(bytes.subarray(0, 12).toString('hex'))
  if (!is_image || bytes.length > 100_000)
    throw invalid('logo', 'logo must be a data URL of a PNG, JPEG or WebP of at most 100 kB')
  return { type, bytes }
}
