import type { Database } from '../database/db.ts'
import { tryLock } from '../database/locks.ts'
import { checkAnchors } from './anchored.ts'
import type { Checkpoint } from './checkpoint-document.ts'
import type { Closing } from './closings.ts'
import type { AuditContext } from './context.ts'
import { copyOut } from './copy-out.ts'
import { type AuditKeys, loadAuditKeys } from './keys.ts'
import { hashText, readDocument, signDocument } from './signing.ts'
import { takeHeads } from './take-heads.ts'
import { Tampering } from './watch.ts'

/**
 * Signs the current chain heads, unless nothing changed since the last checkpoint, and copies the signed
 * checkpoint to folders outside the database. First checks the chains against the earlier copies, so that a
 * forged history is not signed. Any number of processes may call this: one signs, and each copies to its own
 * folders. The copy follows the commit, because links that a database crash rolls back must not have been
 * anchored.
 */
export async function writeCheckpoint(part: AuditContext, gap = 0): Promise<boolean> {
  const { db, clock, config, audit } = part
  const keys = await loadAuditKeys(db, config.secret_keys)
  const last = await findLast(db)
  const isDue = !last || seconds(last.created_at, clock.now()) >= gap
  try {
    if (isDue) await checkAnchors(db, keys, config.checkpoint_dirs)
    const isWritten = isDue && (await sign(part, keys))
    await copyOut(part, keys)
    if (isDue) audit.calm()
    return isWritten
  } catch (error) {
    if (!(error instanceof Tampering)) throw error
    audit.raise(error.message)
    return false
  }
}

async function sign({ db, clock }: AuditContext, keys: AuditKeys): Promise<boolean> {
  return db.transaction(async inner => {
    if (!(await tryLock(inner, 'checkpoints'))) return false
    const heads = await takeHeads(inner, keys)
    const closed = await takeClosings(inner)
    if (Object.keys(heads).length + closed.length === 0) return false
    await addCheckpoint(inner, keys, clock.now(), { heads, ...(closed.length > 0 && { closed }) })
    return true
  })
}

/** The caller must hold the `checkpoints` lock. */
export async function addCheckpoint(
  db: Database,
  keys: AuditKeys,
  now: string,
  said: Pick<Checkpoint, 'heads' | 'closed' | 'restored'>,
): Promise<void> {
  const last = await findLast(db)
  const number = (last?.number ?? 0) + 1
  const previous = last ? hashText(last.document) : null
  const document = signDocument(keys[0].signing, { number, created_at: now, previous, ...said })
  await db.query('INSERT INTO audit_checkpoints (number, created_at, document) VALUES ($1, $2, $3)', [
    number,
    now,
    document,
  ])
}

async function findLast(db: Database) {
  const [row] = await db.query<{ number: string; created_at: string; document: string }>(
    'SELECT number, created_at, document FROM audit_checkpoints ORDER BY number DESC LIMIT 1',
  )
  return row && { ...row, number: Number(row.number) }
}

function seconds(from: string, to: string): number {
  return Temporal.Instant.from(from).until(to).total('seconds')
}

async function takeClosings(db: Database): Promise<Closing[]> {
  const rows = await db.query<{ document: string }>(
    'UPDATE audit_closings SET checkpoint_number = 0 WHERE checkpoint_number IS NULL RETURNING document',
  )
  return rows.flatMap(({ document }) => readDocument<Closing>(document) ?? [])
}
