import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../flow/record.ts'
import { DamagedError } from './damaged-error.ts'

export type BackupKind = 'physical' | 'logical'

/** Where a physical backup lies in the write-ahead log of its cluster. */
export interface WalPlace {
  readonly system_identifier: string
  readonly timeline: number
  readonly start_lsn: string
  readonly stop_lsn: string
  /** The archive holds the log from `start_lsn` to here. */
  readonly wal_end: string
  /** The line of archived log that continues it; null if none was running. */
  readonly line: string | null
}

/** What is known of a backup without opening it. A backup exists once its manifest does. */
export interface Manifest {
  readonly id: string
  readonly kind: BackupKind
  /** The version of Gatehouse. */
  readonly version: string
  readonly postgres: string
  readonly migrations: readonly string[]
  readonly began_at: string
  /** A physical backup restores to this time or later; a logical one to `began_at`. */
  readonly finished_at: string
  readonly feed_position: string
  /** The heads of the audit chains, if they are not too many. */
  readonly audit_heads: Readonly<Record<string, { readonly number: number; readonly hash: string }>> | null
  /** Rows of each table. Of a physical backup, tables of many rows are left out. */
  readonly rows: Readonly<Record<string, number>>
  readonly archive: {
    readonly name: string
    readonly bytes: number
    readonly content_bytes: number
    readonly sha256: string
  }
  /** The recovery key that opens it; null if it is not encrypted. */
  readonly recovery_key: string | null
  readonly wal?: WalPlace
}

/** A manifest is a line of JSON and a line with its authentication code, under the key of its archive. */
export function writeManifest(manifest: Manifest, key: Buffer): string {
  const text = JSON.stringify(manifest)
  return `${text}\n${codeOf(text, key)}\n`
}

/** Reads a manifest without a key, so it may be forged. */
export function parseManifest(text: string): Manifest {
  const [line = '', code = '', ...rest] = text.split('\n')
  const found = parseJson(line)
  const isWhole = /^[0-9a-f]{64}$/.test(code) && rest.length === 1 && rest[0] === ''
  if (!isWhole || !isRecord(found) || typeof found.id !== 'string' || !isRecord(found.archive))
    throw new DamagedError('it was altered')
  return found as unknown as Manifest
}

/** Throws unless the manifest is as it was written. */
export function checkManifest(text: string, key: Buffer): void {
  const [line = '', code = ''] = text.split('\n')
  const expected = Buffer.from(codeOf(line, key))
  const given = Buffer.from(code)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new DamagedError('it was altered')
}

function codeOf(text: string, key: Buffer): string {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'gatehouse backup manifest', 32))
  return createHmac('sha256', own).update(text).digest('hex')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DamagedError('it was altered', { cause })
  }
}
