import type { Database } from '../database/db.ts'
import { isOfSystem, messageOf } from '../flow/failures.ts'
import { type AnchoredHead, anchorPath, readAnchor } from './anchor-file.ts'
import type { Checkpoint } from './checkpoint-document.ts'
import { readLastCheckpoint } from './checkpoint-files.ts'
import { readClosings } from './closings.ts'
import { findLost, name } from './heads.ts'
import { type AuditKeys, publicKeys } from './keys.ts'
import { readTrusted } from './signing.ts'
import { Tampering } from './watch.ts'

/**
 * Throws if a folder outside the database records a history that the database lacks, so that no checkpoint is
 * signed without that history.
 */
export async function checkAnchors(db: Database, keys: AuditKeys, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    await checkFolder(db, keys, folder).catch(error => {
      // An unreadable folder is reported when it is written to. The checks of the other folders go on.
      if (error instanceof Tampering || !isOfSystem(error)) throw error
    })
}

async function checkFolder(db: Database, keys: AuditKeys, folder: string): Promise<void> {
  await checkLastCheckpoint(db, folder)
  const [lost] = await findLostOf(db, keys, folder)
  if (lost)
    throw new Tampering(
      `${folder} knows link ${lost.number} of ${lost.organization_id} as ${lost.hash.slice(0, 16)}, and the database does not: its history was cut off or rewritten, or the database was restored from a backup (then: gatehouse audit accept-restore).`,
    )
}

/** Returns the heads in a folder that no link, closing or accepted restore accounts for. */
export async function findLostOf(db: Database, keys: AuditKeys, folder: string): Promise<AnchoredHead[]> {
  const heads = await readHeads(keys, folder)
  const lost = await findLost(db, heads)
  if (lost.length === 0) return []
  const accounted = await findAccounted(db, publicKeys(keys))
  return lost.filter(head => !accounted(head))
}

async function readHeads(keys: AuditKeys, folder: string): Promise<readonly AnchoredHead[]> {
  const anchor = await readAnchor(anchorPath(folder)).catch(error => {
    throw new Tampering(`${messageOf(error)}: restore it, or move it elsewhere.`)
  })
  if (anchor && !publicKeys(keys).includes(anchor.public_key))
    throw new Tampering(
      `${anchor.name} was signed with a key that this service does not have: it belongs to another service.`,
    )
  return anchor?.heads ?? []
}

async function checkLastCheckpoint(db: Database, folder: string): Promise<void> {
  const last = await readLastCheckpoint(folder)
  if (!last) return
  const [row] = await db.query<{ document: string }>(
    'SELECT document FROM audit_checkpoints WHERE number = $1',
    [last.number],
  )
  if (row?.document !== last.document)
    throw new Tampering(
      `${last.name} is ${row ? 'different in' : 'missing from'} the database: its checkpoints were removed or forged, or it was restored from a backup (then: gatehouse audit accept-restore).`,
    )
}

/** Matches heads of purged organizations and heads abandoned by an accepted restore. */
async function findAccounted(
  db: Database,
  trusted: readonly string[],
): Promise<(head: AnchoredHead) => boolean> {
  const closings = new Map((await readClosings(db, trusted)).map(({ id, closing }) => [id, closing]))
  const rows = await db.query<{ document: string }>(
    `SELECT document FROM audit_checkpoints WHERE document LIKE '%"restored":{%'`,
  )
  const abandoned = new Set(
    rows
      .flatMap(({ document }) => readTrusted<Checkpoint>(document, trusted)?.restored?.abandoned ?? [])
      .map(name),
  )
  return head => {
    const closing = closings.get(head.organization_id)
    const isPurged = closing !== undefined && head.number <= closing.number
    return isPurged || abandoned.has(name(head))
  }
}
