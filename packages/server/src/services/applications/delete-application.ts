import type { EventSubject } from '@gatehouse-access/api'
import { serviceCaller } from '../../store/caller.ts'
import type { Context } from '../objects/context.ts'
import { deauthorizeApplication } from './authorizations.ts'

/** Deletes an application and deauthorizes it in every organization, with the events of each. */
export async function deleteApplication(context: Context, subject: EventSubject, id: string): Promise<void> {
  await context.db.transaction(async db => {
    await db.query('UPDATE oauth_applications SET is_deleted = true, secret_hash = NULL WHERE id = $1', [id])
    db.afterCommit('rights_changed')
    const installed = await db.query<{ organization_id: string }>(
      'SELECT organization_id FROM installations WHERE oauth_application_id = $1 ORDER BY organization_id',
      [id],
    )
    for (const { organization_id } of installed) {
      const caller = { ...serviceCaller(organization_id), subject: () => subject }
      await deauthorizeApplication({ context, db, caller, now: context.clock.now() }, id)
    }
  })
}
