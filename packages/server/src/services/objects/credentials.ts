import { invalid } from '@gatehouse-access/api'
import type { Work } from './context.ts'

/** Throws if the member is deleted. Locks the row, so that the member cannot be deleted in the meantime. */
export async function holdLivingMember(work: Work, memberId: unknown): Promise<void> {
  const [row] = await work.db.query<{ is_deleted: boolean }>(
    'SELECT is_deleted FROM members WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [work.caller.organization_id, memberId],
  )
  if (row?.is_deleted !== false) throw invalid('member_id', 'the member is deleted; restore it first')
}

/** A PIN or card is taken only while neither it nor its member is deleted. */
export const claims = {
  beforeDelete: async () => ({ is_claimed: false }),
  async beforeRestore(work: Work, row: { readonly member_id: string }) {
    await holdLivingMember(work, row.member_id)
    return { is_claimed: true }
  },
}
