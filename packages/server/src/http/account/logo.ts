import { clearable, text } from '@gatehouse-access/api'
import type { Picture } from '../../mail/letter.ts'
import { readPicture } from '../../services/objects/read-picture.ts'

export const logoPart = clearable(text(200_000), 'A PNG, JPEG or WebP of at most 100 kB, as a data URL.')

export function readLogo(data_url: string): Picture {
  return readPicture('logo', data_url, 100_000)
}
