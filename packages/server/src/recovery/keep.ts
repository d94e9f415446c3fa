import { StartError } from '../config/start-error.ts'
import type { Database } from '../database/db.ts'

/** What a confirmation keeps instead of deleting it. */
export interface Kept {
  readonly keep?: readonly string[]
  /** Everything that was deleted between these times, inclusive: a mistake that the restore undoes. */
  readonly keep_deleted_between?: { readonly from: string; readonly until: string } | undefined
}

export interface Suspended {
  readonly organization_id: string
  readonly kind: string
  readonly id: string
}

/** Throws if an id is not suspended, before anything changes. An interrupted confirmation may have kept it. */
export async function chooseKept(
  db: Database,
  { keep = [], keep_deleted_between: between }: Kept,
): Promise<Suspended[]> {
  const rows = await db.query<Suspended & { readonly settled: string | null }>(
    `SELECT organization_id, kind, id, settled FROM restore_suspensions WHERE (is_suspended OR settled = 'kept')
     AND (id = ANY($1::text[]) OR (how = 'deleted' AND revoked_at BETWEEN $2::timestamptz AND $3::timestamptz))`,
    [keep, between?.from ?? null, between?.until ?? null],
  )
  const found = new Set(rows.map(({ id }) => id))
  const unknown = keep.filter(id => !found.has(id))
  if (unknown.length > 0)
    throw new StartError(
      `${unknown.join(', ')} ${unknown.length > 1 ? 'are' : 'is'} not suspended, so nothing was changed: gatehouse restore review lists what is.`,
    )
  return rows.filter(({ settled }) => settled === null)
}
