import type { AuditKey } from '../audit/keys.ts'
import { readTrusted, signDocument } from '../audit/signing.ts'
import { BackupError } from '../backup/archive/backup-error.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import { everySealed, type Sealed } from '../services/keys/key-rotation.ts'
import type { Vault } from '../vault/vault.ts'
import { readBytes, writeBytes, writeText } from './copy-text.ts'

/** Changes the columns of a row; undefined if the rows of a table move as they are. */
export type Change = ((columns: string[]) => void) | undefined

/** Puts secrets in the clear: what encrypts them in the file is the key of the file. */
export function openSecrets(vault: Vault, table: string, columns: readonly string[]): Change {
  return eachSecret(table, columns, (sealed, held, row) => {
    const context = sealed.context(row)
    if (!vault.canOpen(held, context))
      throw new BackupError(
        `The secret of ${context} was encrypted with a key that is not in GATEHOUSE_SECRET_KEY: add that key behind the first.`,
      )
    return { secret: Buffer.from(vault.decrypt(held, context)), hash: Buffer.alloc(0) }
  })
}

/** Encrypts secrets with the key of this installation, and hashes them anew where they are looked up. */
export function sealSecrets(vault: Vault, table: string, columns: readonly string[]): Change {
  return eachSecret(table, columns, (sealed, held, row) => {
    const secret = held.toString('utf8')
    const hash = sealed.hash && vault.digests(secret, sealed.hash.purpose(row))[0]
    return { secret: vault.encrypt(secret, sealed.context(row)), hash }
  })
}

type Turn = (
  sealed: Sealed,
  held: Buffer,
  row: Record<string, unknown>,
) => { readonly secret: Buffer; readonly hash: Buffer | undefined }

function eachSecret(table: string, columns: readonly string[], turn: Turn): Change {
  const sealed = everySealed.find(one => one.table === table)
  if (!sealed) return undefined
  const at = columns.indexOf(sealed.column)
  const hashAt = sealed.hash ? columns.indexOf(sealed.hash.column) : -1
  return row => {
    const held = readBytes(row[at])
    if (!held) return
    const key = Object.fromEntries(sealed.key.map(name => [name, row[columns.indexOf(name)]]))
    const { secret, hash } = turn(sealed, held, key)
    row[at] = writeBytes(secret)
    if (hash && hashAt >= 0) row[hashAt] = writeBytes(hash)
  }
}

/** Signs receipts of erasures again: this installation answers for what it has verified. */
export function signReceipts(
  key: AuditKey,
  trusted: readonly string[],
  columns: readonly string[],
): (row: string[]) => void {
  const at = columns.indexOf('document')
  return row => {
    const receipt = readTrusted<object>(readBytes(row[at])?.toString('utf8') ?? '', trusted)
    if (!receipt) throw new DamagedError('it holds a receipt that the source has not signed')
    row[at] = writeText(signDocument(key.signing, { ...receipt, moved_from: trustedKey(receipt) }))
  }
}

function trustedKey(receipt: object): string | undefined {
  return 'public_key' in receipt ? String(receipt.public_key) : undefined
}
