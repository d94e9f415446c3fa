import { logHappening } from '../../store/write.ts'
import type { Work } from '../objects/context.ts'

/** Of the invitation `i`: its inviter may still give its role. One without an inviter is the service's own. */
export const isStillGiven = `(i.invited_by IS NULL OR EXISTS (SELECT 1 FROM organization_users inviter
       WHERE inviter.organization_id = i.organization_id AND inviter.user_id = i.invited_by
       AND (inviter.role = 'owner' OR (inviter.role = 'administrator' AND i.role <> 'owner'))))`

/** Once a role was changed or taken: ends the invitations that its holder could no longer give. */
export async function endInvitationsOf(work: Work, user_id: string): Promise<void> {
  const rows = await work.db.query<{ id: string }>(
    `DELETE FROM invitations i WHERE i.organization_id = $1 AND i.invited_by = $2 AND NOT ${isStillGiven} RETURNING i.id`,
    [work.caller.organization_id, user_id],
  )
  for (const { id } of rows) await logHappening(work, 'delete', { type: 'invitation', invitation_id: id })
}
