import { amendmentText } from '../audit/amendments/amendment.ts'
import { type AuditKey, seal } from '../audit/keys.ts'
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

/** Signs receipts and starts of chains again: this installation answers for what it has verified. */
export function signDocuments(
  key: AuditKey,
  trusted: readonly string[],
  columns: readonly string[],
): (row: string[]) => void {
  const at = columns.indexOf('document')
  return row => {
    const said = readTrusted<object>(readBytes(row[at])?.toString('utf8') ?? '', trusted)
    if (!said) throw new DamagedError('it holds a receipt that the source has not signed')
    // Events that moved have other positions. What was before the start of a chain did not move.
    const position = 'position' in said ? { position: '0.0.0' } : {}
    row[at] = writeText(signDocument(key.signing, { ...said, ...position, moved_from: trustedKey(said) }))
  }
}

function trustedKey(said: object): string | undefined {
  return 'public_key' in said ? String(said.public_key) : undefined
}

/** Seals amendments again. What the chain says of them is verified once all is loaded. */
export function sealAmendments(key: AuditKey, columns: readonly string[]): (row: string[]) => void {
  const at = (name: string) => columns.indexOf(name)
  return row => {
    const said = (name: string) => row[at(name)] ?? ''
    const act = { organization_id: said('organization_id'), act: said('act') }
    const text = amendmentText(act, {
      number: Number(said('number')),
      kind: said('kind') === 'deleted' ? 'deleted' : 'unlinked',
      was_altered: said('was_altered') === 't',
      digest: readBytes(said('digest')) ?? null,
    })
    row[at('seal')] = writeBytes(seal(key, text))
  }
}
