import { invalid, type Kind, resourceOf } from '@gatehouse-access/api'
import type { Work } from './context.ts'

/** Throws if the parent is deleted. Locks the row, so that it cannot be deleted in the meantime. */
export async function holdLivingParent(work: Work, parent: Kind, id: unknown): Promise<void> {
  const [row] = await work.db.query<{ is_deleted: boolean }>(
    `SELECT is_deleted FROM ${resourceOf(parent).table} WHERE organization_id = $1 AND id = $2 FOR SHARE`,
    [work.caller.organization_id, id],
  )
  if (row?.is_deleted !== false)
    throw invalid(`${parent}_id`, `the ${parent.replaceAll('_', ' ')} is deleted; restore it first`)
}

/** A PIN or card is taken only while neither it nor its member is deleted. */
export const claims = {
  beforeDelete: async () => ({ is_claimed: false }),
  async beforeRestore(work: Work, row: { readonly member_id: string }) {
    await holdLivingParent(work, 'member', row.member_id)
    return { is_claimed: true }
  },
}
