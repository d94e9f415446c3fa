import { invalid, type Reference, type RequestError, resourceOf } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { boundConditions } from './bounds.ts'
import type { Caller } from './caller.ts'
import { makeStatement } from './statement.ts'

/**
 * Throws if a referenced object is missing, deleted, owned by another organization or not one of the caller's
 * sites, with the same error for all of them. The rows stay locked until the transaction ends, so that none can be deleted between the check
 * and the write.
 */
export async function checkReferences(
  db: Database,
  caller: Pick<Caller, 'organization_id' | 'bounds'>,
  references: readonly Reference[],
): Promise<void> {
  for (const [kind, group] of Map.groupBy(references, reference => reference.kind)) {
    const ids = [...new Set(group.map(reference => reference.id))].sort()
    const rows = await (caller.bounds ? findWithin(db, caller, kind, ids) : findIn(db, caller, kind, ids))
    const known = new Set(rows.map(row => row.id))
    const missing = group.find(reference => !known.has(reference.id))
    if (missing) throw missingReference(missing)
  }
}

function findIn(
  db: Database,
  { organization_id }: Pick<Caller, 'organization_id'>,
  kind: string,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(
    `SELECT id FROM ${resourceOf(kind).table} WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted ORDER BY id FOR SHARE`,
    [organization_id, ids],
  )
}

function findWithin(
  db: Database,
  caller: Pick<Caller, 'organization_id' | 'bounds'>,
  kind: string,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  const { text, paramsOf } = makeStatement<{ reach: typeof caller }>(bind => {
    const where = [
      `t.organization_id = ${bind(({ reach }) => reach.organization_id)}`,
      `t.id = ANY(${bind(() => ids, 'text[]')})`,
      ...boundConditions(bind, resourceOf(kind)),
    ]
    return `SELECT t.id FROM ${resourceOf(kind).table} t WHERE ${where.join(' AND ')} AND NOT t.is_deleted ORDER BY t.id FOR SHARE OF t`
  })
  return db.query<{ id: string }>(text, paramsOf({ reach: caller }))
}

function missingReference({ field, kind, id }: Reference): RequestError {
  return invalid(field, `${field}: there is no ${kind.replaceAll('_', ' ')} ${id}`)
}
