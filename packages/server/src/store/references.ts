import { invalid, type Reference, type RequestError, resourceOf } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'

/**
 * Throws if a referenced object is missing, deleted or owned by another organization, with the same error for
 * all three. The rows stay locked until the transaction ends, so that none can be deleted between the check
 * and the write.
 */
export async function checkReferences(
  db: Database,
  organization_id: string,
  references: readonly Reference[],
): Promise<void> {
  for (const [kind, group] of Map.groupBy(references, reference => reference.kind)) {
    const ids = [...new Set(group.map(reference => reference.id))].sort()
    const rows = await db.query<{ id: string }>(
      `SELECT id FROM ${resourceOf(kind).table} WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted ORDER BY id FOR SHARE`,
      [organization_id, ids],
    )
    const known = new Set(rows.map(row => row.id))
    const missing = group.find(reference => !known.has(reference.id))
    if (missing) throw missingReference(missing)
  }
}

function missingReference({ field, kind, id }: Reference): RequestError {
  return invalid(field, `${field}: there is no ${kind.replaceAll('_', ' ')} ${id}`)
}
