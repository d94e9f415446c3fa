import type { Database } from '../database/db.ts'
import { holdLock } from '../database/locks.ts'
import type { AnchoredHead } from './anchor-file.ts'
import { findLostOf } from './anchored.ts'
import { addCheckpoint } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint-document.ts'
import { type Kept, readCheckpoints } from './checkpoint-files.ts'
import type { AuditContext } from './context.ts'
import { findLost, name } from './heads.ts'
import { type AuditKeys, loadAuditKeys } from './keys.ts'
import { readDocument } from './signing.ts'
import { takeHeads } from './take-heads.ts'

/**
 * Records that an operator restored the database from a backup. Signs a checkpoint that lists the abandoned
 * links, the operator and the reason. Checkpoints that only the folders still have are inserted into the
 * database again, so that the sequence has no gaps. The service copies the new one to its folders.
 */
export async function acceptRestore(
  { db, clock, config }: Omit<AuditContext, 'audit'>,
  said: Omit<NonNullable<Checkpoint['restored']>, 'abandoned'>,
): Promise<readonly AnchoredHead[]> {
  const keys = await loadAuditKeys(db, config.secret_keys)
  return db.transaction(async inner => {
    await holdLock(inner, 'checkpoints')
    const lost = await takeBack(inner, keys, config.checkpoint_dirs)
    const heads = await takeHeads(inner, keys)
    await addCheckpoint(inner, keys, clock.now(), { heads, restored: { ...said, abandoned: lost } })
    return lost
  })
}

async function takeBack(db: Database, keys: AuditKeys, folders: readonly string[]): Promise<AnchoredHead[]> {
  const lost = new Map<string, AnchoredHead>()
  for (const folder of folders) {
    const given = (await readCheckpoints(folder)).map(kept => takeBackOne(db, kept))
    const heads = (await Promise.all(given)).flat()
    for (const head of [...(await findLost(db, heads)), ...(await findLostOf(db, keys, folder))])
      lost.set(name(head), head)
  }
  return [...lost.values()]
}

/** Inserts a checkpoint that the database lacks and returns its heads. Otherwise returns none. */
async function takeBackOne(db: Database, { number, document }: Kept): Promise<AnchoredHead[]> {
  const checkpoint = readDocument<Checkpoint>(document)
  if (!checkpoint) return []
  const rows = await db.query(
    `INSERT INTO audit_checkpoints (number, created_at, document) VALUES ($1, $2, $3)
     ON CONFLICT (number) DO NOTHING RETURNING 1`,
    [number, checkpoint.created_at, document],
  )
  if (rows.length === 0) return []
  return Object.entries(checkpoint.heads).map(([organization_id, head]) => ({ organization_id, ...head }))
}
