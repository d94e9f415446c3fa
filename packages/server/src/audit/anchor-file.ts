import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { codeOf } from '../flow/failures.ts'
import { replaceFile } from './checkpoint-files.ts'
import { type CheckpointKey, isSigned } from './signing.ts'

export interface AnchoredHead {
  readonly organization_id: string
  readonly number: number
  readonly hash: string
}

/**
 * The head of every chain at the last checkpoint. The file is line-based, so that it is read and written
 * without building one large object.
 */
export interface Anchor {
  readonly name: string
  /** The number of the last checkpoint. */
  readonly checkpoint: number
  readonly public_key: string
  readonly heads: readonly AnchoredHead[]
}

const title = 'gatehouse anchor 1'

export function anchorPath(folder: string): string {
  return join(folder, 'anchor.txt')
}

export async function writeAnchor(
  folder: string,
  key: CheckpointKey,
  checkpoint: number,
  heads: AsyncIterable<readonly AnchoredHead[]>,
): Promise<void> {
  const parts = [`${title}\ncheckpoint ${checkpoint}\nkey ${key.public_key}\n`]
  for await (const page of heads)
    parts.push(page.map(head => `${head.organization_id} ${head.number} ${head.hash}\n`).join(''))
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  parts.push(`signature ${key.sign(digest.digest('hex'))}\n`)
  await replaceFile(anchorPath(folder), parts.join(''))
}

/** Returns undefined if there is no file. Throws if it is incomplete or not signed with the key it names. */
export async function readAnchor(path: string): Promise<Anchor | undefined> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })
  const digest = createHash('sha256')
  const fields: Record<string, string> = {}
  const heads: AnchoredHead[] = []
  try {
    for await (const line of lines) {
      const [name = '', value = '', hash] = line.split(' ')
      if (name === 'signature') fields.signature = value
      else digest.update(`${line}\n`)
      if (hash !== undefined && line !== title)
        heads.push({ organization_id: name, number: Number(value), hash })
      else fields[name] = value
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  const { key = '', signature = '', checkpoint } = fields
  if (!isSigned(key, digest.digest('hex'), signature)) throw new Error(`${path} is damaged or forged`)
  return { name: path, checkpoint: Number(checkpoint), public_key: key, heads }
}
