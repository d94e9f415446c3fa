import type { Database } from '../database/db.ts'

/** A restore that nobody has confirmed yet. */
export interface OpenRestore {
  readonly id: string
  readonly target: string
  readonly backup_id: string
  readonly restored_by: string
  readonly began_at: string
  readonly ledger_from: string | null
  readonly ledger_until: string | null
  /** Null if marking was interrupted. */
  readonly marked_at: string | null
}

const columns =
  'id::text AS id, target, backup_id, restored_by, began_at, ledger_from, ledger_until, marked_at'

export async function findOpenRestore(
  db: Pick<Database, 'query'>,
  isHeld = false,
): Promise<OpenRestore | undefined> {
  const [row] = await db.query<OpenRestore>(
    `SELECT ${columns} FROM restores WHERE confirmed_at IS NULL ${isHeld ? 'FOR UPDATE' : ''}`,
  )
  return row
}

interface Begun {
  readonly target: string
  readonly backup_id: string
  readonly restored_by: string
  readonly now: string
  readonly ledger: { readonly from: string; readonly until: string } | undefined
}

/** The database counts as recovered from here on, also if the rest is interrupted. */
export async function beginRestore(db: Pick<Database, 'query'>, begun: Begun): Promise<void> {
  const { target, backup_id, restored_by, now, ledger } = begun
  await db.query(
    `INSERT INTO restores (target, backup_id, restored_by, began_at, ledger_from, ledger_until) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ((true)) WHERE confirmed_at IS NULL DO UPDATE SET target = excluded.target, backup_id = excluded.backup_id,
       restored_by = excluded.restored_by, ledger_from = coalesce(excluded.ledger_from, restores.ledger_from),
       ledger_until = coalesce(excluded.ledger_until, restores.ledger_until), marked_at = NULL`,
    [target, backup_id, restored_by, now, ledger?.from ?? null, ledger?.until ?? null],
  )
}

export async function endRestore(db: Database, by: string, now: string): Promise<void> {
  await db.query('UPDATE restores SET confirmed_at = $1, confirmed_by = $2 WHERE confirmed_at IS NULL', [
    now,
    by,
  ])
}
