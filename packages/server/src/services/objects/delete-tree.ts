import { type AnyObject, resourceOf } from '@gatehouse-access/api'
import { deleteObjects } from '../../store/write.ts'
import { findLivingChildren } from './children.ts'
import type { Work } from './context.ts'
import { checkPrecondition } from './etag.ts'
import { deleteLocked, getObject, type Target } from './objects.ts'

export interface DeleteOptions {
  readonly cascade: boolean
  readonly dry_run: boolean
  readonly if_match: string | undefined
}

/** Deletes a site or a device. Throws if it still contains objects, unless `cascade` deletes those too. */
export async function deleteTree(
  work: Work,
  target: Target,
  id: string,
  options: DeleteOptions,
): Promise<AnyObject> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const before = await getObject(inner, target, id, true)
    checkPrecondition(target.resource, before, options.if_match)
    if (options.dry_run) return { ...before, would_delete: await wouldDelete(inner, target, before) }
    if (options.cascade && !before.is_deleted) await deleteChildren(inner, target, id)
    return deleteLocked(inner, target.resource, before)
  })
}

function wouldDelete(work: Work, { resource }: Target, before: AnyObject): Promise<unknown[]> {
  return before.is_deleted ? Promise.resolve([]) : findLivingChildren(work, resource, before)
}

async function deleteChildren(work: Work, { resource }: Target, id: string): Promise<void> {
  for (const kind of resource.children ?? [])
    await deleteObjects(work, resourceOf(kind), `${resource.kind}_id`, [id])
}
