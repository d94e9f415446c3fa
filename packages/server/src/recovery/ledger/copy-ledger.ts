import type { Logger } from 'pino'
import { makeFolder } from '../../audit/checkpoint-files.ts'
import { loadAuditKeys, publicKeys } from '../../audit/keys.ts'
import { hashText } from '../../audit/signing.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import type { KeptBlock } from './block.ts'
import { append, readLedger, readTail } from './ledger-file.ts'

export interface CopyContext {
  readonly db: Database
  readonly log: Pick<Logger, 'error'>
  readonly config: Pick<Config, 'secret_keys' | 'checkpoint_dirs'>
}

/**
 * Brings the ledger in every folder of this process up to the database. The lock lets one process at a time
 * append, because several may share a folder. A failing folder does not stop the others.
 */
export async function copyLedger(context: CopyContext): Promise<void> {
  await context.db.transaction(async db => {
    await holdLock(db, 'ledger')
    const failures: unknown[] = []
    for (const folder of context.config.checkpoint_dirs)
      await copyTo({ ...context, db }, folder).catch(error => failures.push(error))
    if (failures.length > 0) throw failures[0]
  })
}

async function copyTo(context: CopyContext, folder: string): Promise<void> {
  await makeFolder(folder)
  const { last } = await readTail(folder)
  const number = last === undefined ? 0 : await findNumber(context.db, last)
  await appendAfter(context.db, folder, number ?? (await joinHistories(context, folder)))
}

async function findNumber(db: Database, document: string): Promise<number | undefined> {
  const [row] = await db.query<{ number: string }>('SELECT number FROM ledger_blocks WHERE hash = $1', [
    hashText(document),
  ])
  return row && Number(row.number)
}

/**
 * The database does not know the end of the file: it was set back. What the file has more comes first, then
 * what the database has more. Returns the number of the last block in the file.
 */
async function joinHistories({ db, log, config }: CopyContext, folder: string): Promise<number> {
  log.error(
    { folder },
    'the ledger knows revocations that the database does not: it was set back. If a backup was restored, stop the service and run gatehouse restore mark',
  )
  const blocks = (await readLedger(folder, publicKeys(await loadAuditKeys(db, config.secret_keys)))) ?? []
  await takeBack(db, blocks, true)
  const known = blocks.map(({ hash }) => hash)
  const [row] = await db.query<{ number: string }>('SELECT max(number) AS number FROM ledger_blocks')
  await db.query(
    `UPDATE ledger_blocks SET number = number + $2::bigint WHERE hash <> ALL($1::text[])
       AND number > (SELECT coalesce(max(number), 0) FROM ledger_blocks WHERE hash = ANY($1::text[]) AND NOT is_foreign)`,
    [known, Number(row?.number)],
  )
  return Number(row?.number)
}

/** Blocks that are read at once. */
const page = 100

async function appendAfter(db: Database, folder: string, number: number): Promise<void> {
  for (let after = number; ; ) {
    const rows = await db.query<{ number: string; document: string }>(
      `SELECT number, document FROM ledger_blocks WHERE number > $1 ORDER BY number LIMIT ${page}`,
      [after],
    )
    const documents = rows.map(({ document }) => document)
    if (documents.length > 0) await append(folder, (await readTail(folder)).size, documents)
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    after = Number(last.number)
  }
}

/** Stores the blocks of a file that the database lacks, so that it can go on after them. */
export async function takeBack(
  db: Database,
  blocks: readonly KeptBlock[],
  is_foreign: boolean,
): Promise<void> {
  for (const { hash, document } of blocks)
    await db.query(
      `INSERT INTO ledger_blocks (number, hash, document, is_foreign)
       SELECT coalesce(max(number), 0) + 1, $1, $2, $3 FROM ledger_blocks
       ON CONFLICT (hash) DO UPDATE SET is_foreign = ledger_blocks.is_foreign AND excluded.is_foreign`,
      [hash, document, is_foreign],
    )
}
