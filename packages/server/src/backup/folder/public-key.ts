import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../flow/failures.ts'
import { BackupError } from '../archive/backup-error.ts'
import { publicHalf } from '../archive/recovery-key.ts'
import { writeDurably } from './durable-file.ts'

/** The public half of the recovery key of a data folder. */
export interface PublicKey {
  readonly public_key: Buffer
  readonly made_at: string
}

export function publicKeyPath(data_dir: string): string {
  return join(data_dir, 'recovery-key.pub')
}

export function readPublicKey(data_dir: string): PublicKey | undefined {
  const path = publicKeyPath(data_dir)
  try {
    const [key = '', made_at = ''] = readFileSync(path, 'utf8').trim().split(/\s+/)
    const public_key = Buffer.from(key, 'base64')
    if (public_key.length === 32) return { public_key, made_at }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  throw new BackupError(`${path} is damaged: gatehouse backup key --replace makes a new recovery key.`)
}

export async function writePublicKey(data_dir: string, { public_key, made_at }: PublicKey): Promise<void> {
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  await writeDurably(publicKeyPath(data_dir), sink =>
    sink.write(Buffer.from(`${public_key.toString('base64')} ${made_at}\n`)),
  )
}

/** Lets a restored installation make backups under the key that opened its own, unless it has one already. */
export async function keepPublicKey(data_dir: string, recovery_key: KeyObject | undefined): Promise<void> {
  if (!recovery_key || existsSync(publicKeyPath(data_dir))) return
  await writePublicKey(data_dir, {
    public_key: publicHalf(recovery_key),
    made_at: new Date().toISOString(),
  })
}
