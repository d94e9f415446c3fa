import {
  type AnyObject,
  invalid,
  type Kind,
  RequestError,
  type Resource,
  resourceOf,
} from '@gatehouse-access/api'
import { explainConflict } from '../../store/constraints.ts'
import { findObject } from '../../store/find.ts'
import type { Work } from './context.ts'
import { applyEdit, editObject, getObject, type Target } from './objects.ts'

interface EditOptions {
  readonly cascade: boolean
  readonly if_match: string | undefined
}

/** Edits a site or a device. If that restores it, `cascade` also restores what was deleted together with it. */
export async function editTree(
  work: Work,
  target: Target,
  id: string,
  readBody: () => unknown,
  { cascade, if_match }: EditOptions,
): Promise<AnyObject> {
  if (!cascade) return editObject(work, target, id, readBody, if_match)
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const before = await getObject(inner, target, id, true)
    const after = await editObject(inner, target, id, readBody, if_match)
    if (before.is_deleted && !after.is_deleted) await restoreChildren(inner, target, id)
    return after
  })
}

/** Each is restored by itself, in a transaction for which the readers of the feed wait. */
const mostRestored = 300

/** In the order of the declaration: a gadget cannot be restored before its device. */
async function restoreChildren(work: Work, { resource, reach }: Target, id: string): Promise<void> {
  const { organization_id } = reach
  const kinds = resource.children ?? []
  const found = await Promise.all(kinds.map(kind => findDeletedWith(work, resource, id, kind)))
  const count = found.flat().length
  if (count > mostRestored)
    throw invalid(
      'cascade',
      `${count} objects were deleted together with it, and at most ${mostRestored} are restored at once: restore it without cascade, then what is inside`,
    )
  for (const [at, kind] of kinds.entries())
    for (const child of found[at] ?? []) {
      const row = await findObject(work.db, resourceOf(kind), { organization_id }, child, { lock: true })
      // The gadget of a single-gadget device was restored with it.
      if (row?.is_deleted && row[`${resource.kind}_id`] === id)
        await applyEdit(work, resourceOf(kind), row, { is_deleted: false }).catch(error =>
          refuseFor(child, error),
        )
    }
}

/** All or nothing, so the caller has to know which of the objects cannot come back. */
function refuseFor(id: string, error: unknown): never {
  const refusal = error instanceof RequestError ? error : explainConflict(error)
  if (!refusal) throw error
  const { type, message, args } = refusal
  throw new RequestError(type, `${id} cannot be restored: ${message}`, { args, cause: error })
}

/** One request writes all its events at one time. What was deleted on its own, before or after, stays deleted. */
export async function findDeletedWith(
  work: Work,
  { kind }: Resource,
  id: string,
  child: Kind,
): Promise<string[]> {
  const rows = await work.db.query<{ id: string }>(
    `SELECT e.object->>'${child}_id' AS id FROM events e
     WHERE e.organization_id = $1 AND e.object->>'${kind}_id' = $2 AND e.verb = 'delete' AND e.object->>'type' = '${child}'
       AND e.created_at = (SELECT d.created_at FROM events d WHERE d.organization_id = $1 AND d.object->>'${kind}_id' = $2
         AND d.verb = 'delete' AND d.object->>'type' = '${kind}' ORDER BY d.created_at DESC, d.id DESC LIMIT 1)
     ORDER BY e.sequence`,
    [work.caller.organization_id, id],
  )
  return rows.map(row => row.id)
}
