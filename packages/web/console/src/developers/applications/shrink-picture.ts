import { t } from '../../language/t.ts'

interface Limits {
  /** Pixels of the longer side. */
  readonly side: number
  readonly most_bytes: number
}

const ofLogo: Limits = { side: 256, most_bytes: 100_000 }
const types = ['image/png', 'image/webp', 'image/jpeg']

/** The accepted types. SVG is excluded because it can contain scripts. */
export const picture_types = types.join(',')

export class NoPicture extends Error {}

/**
 * Returns the picture as a data URL within the service's limits, which are those of a logo unless others are given.
 * Redrawing the picture drops all metadata of the file, such as the place where a photo was taken.
 */
export async function shrinkPicture(file: File, { side, most_bytes } = ofLogo): Promise<string> {
  if (!types.includes(file.type)) throw new NoPicture(t('Choose a PNG, JPEG or WebP image.'))
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new NoPicture(t('The browser cannot read this file as an image.'))
  })
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const found = types.map(type => canvas.toDataURL(type, 0.9)).find(url => bytesOf(url) <= most_bytes)
  if (!found) throw new NoPicture(t(`This image cannot be reduced to ${most_bytes / 1000} kB.`))
  return found
}

function bytesOf(data_url: string): number {
  return Math.ceil(((data_url.length - data_url.indexOf(',') - 1) * 3) / 4)
}
