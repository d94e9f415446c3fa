import { invalid, type Kind, RequestError, resourceOf } from '@gatehouse-access/api'
import type { Work } from './context.ts'

/** Throws if the parent is deleted. Locks the row, so that it cannot be deleted in the meantime. */
export async function holdLivingParent(work: Work, parent: Kind, id: unknown): Promise<void> {
  const [row] = await work.db.query<{ is_deleted: boolean; erased_at?: string | null }>(
    `SELECT is_deleted${parent === 'member' ? ', erased_at' : ''} FROM ${resourceOf(parent).table} WHERE organization_id = $1 AND id = $2 FOR SHARE`,
    [work.caller.organization_id, id],
  )
  if (row?.erased_at) throw erased(parent, String(id))
  if (row?.is_deleted !== false)
    throw invalid(`${parent}_id`, `the ${parent.replaceAll('_', ' ')} is deleted; restore it first`)
}

/** Nothing is left that could be restored or acted on. */
export function erased(kind: string, id: string): RequestError {
  return new RequestError('invalid_request', `the ${kind} ${id} was erased, and nothing of it is left`, {
    args: { field: `${kind}_id`, reason: 'erased' },
  })
}

/** A PIN or card is taken only while neither it nor its member is deleted. */
export const claims = {
  beforeDelete: async () => ({ is_claimed: false }),
  async beforeRestore(work: Work, row: { readonly member_id: string }) {
    await holdLivingParent(work, 'member', row.member_id)
    return { is_claimed: true }
  },
}
