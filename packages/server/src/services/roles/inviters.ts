import { logHappening } from '../../store/write.ts'
import type { Work } from '../objects/context.ts'

/** Whether the inviter of `i` may still grant its role. Without an inviter, the service itself invited. */
export const isStillGiven = `(i.invited_by IS NULL OR EXISTS (SELECT 1 FROM organization_users inviter
       WHERE inviter.organization_id = i.organization_id AND inviter.user_id = i.invited_by
       AND (inviter.role = 'owner' OR (inviter.role = 'administrator' AND i.role <> 'owner'))))`

/** Deletes the invitations that a user may no longer give after a change or loss of role. */
export async function endInvitationsOf(work: Work, user_id: string): Promise<void> {
  const rows = await work.db.query<{ id: string; email: string }>(
    `DELETE FROM invitations i WHERE i.organization_id = $1 AND i.invited_by = $2 AND NOT ${isStillGiven} RETURNING i.id, i.email`,
    [work.caller.organization_id, user_id],
  )
  for (const { id, email } of rows)
    await logHappening(work, 'delete', { type: 'invitation', invitation_id: id, name: email })
}
