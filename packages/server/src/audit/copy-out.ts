import type { Database } from '../database/db.ts'
import { anchorPath, readAnchor, writeAnchor } from './anchor-file.ts'
import { checkAnchors } from './anchored.ts'
import type { Checkpoint } from './checkpoint-document.ts'
import { keepCheckpoint, makeFolder, readLastCheckpoint } from './checkpoint-files.ts'
import type { AuditContext } from './context.ts'
import { readAnchored } from './heads.ts'
import type { AuditKeys } from './keys.ts'
import { hashText, readDocument } from './signing.ts'
import { Tampering } from './watch.ts'

/** Brings every folder up to the last checkpoint in the database. A failing folder does not stop others. */
export async function copyOut({ db, config, audit }: AuditContext, keys: AuditKeys): Promise<void> {
  const [row] = await db.query<{ number: string }>(
    'SELECT coalesce(max(number), 0) AS number FROM audit_checkpoints',
  )
  const last = Number(row?.number)
  const stale = config.checkpoint_dirs.filter(folder => audit.kept.get(folder) !== last)
  const outcomes = await Promise.allSettled(
    stale.map(async folder => {
      await bringUpToDate(db, keys, folder, last)
      audit.kept.set(folder, last)
    }),
  )
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function bringUpToDate(db: Database, keys: AuditKeys, folder: string, last: number): Promise<void> {
  await makeFolder(folder)
  await checkAnchors(db, keys, [folder])
  const known = await readLastCheckpoint(folder)
  let previous = known?.document
  for (let number = known?.number ?? 0; number < last; )
    for (const next of await readNext(db, number)) {
      const isNext =
        readDocument<Checkpoint>(next.document)?.previous === (previous ? hashText(previous) : null)
      // A folder that was added later starts with the first checkpoint that the database still has.
      if (previous !== undefined && !isNext)
        throw new Tampering(
          `checkpoint ${next.number} of the database does not follow the previous one in ${folder}: one of them was forged.`,
        )
      await keepCheckpoint(folder, next.number, next.document)
      previous = next.document
      number = next.number
    }
  const anchor = await readAnchor(anchorPath(folder)).catch(() => undefined)
  if (anchor?.checkpoint !== last) await writeAnchor(folder, keys[0].signing, last, readAnchored(db))
}

async function readNext(db: Database, after: number): Promise<{ number: number; document: string }[]> {
  const rows = await db.query<{ number: string; document: string }>(
    'SELECT number, document FROM audit_checkpoints WHERE number > $1 ORDER BY number LIMIT 200',
    [after],
  )
  return rows.map(({ number, document }) => ({ number: Number(number), document }))
}
