import { RequestError, resources } from '@gatehouse-access/api'
import { takeAcknowledgeToken } from '../../push/acknowledge-tokens.ts'
import type { Caller } from '../../store/caller.ts'
import { findMembership, refused } from '../accounts/admission.ts'
import { acknowledgeAlarm } from '../alarms/alarms.ts'
import type { Context } from '../objects/context.ts'
import { scopesOf } from '../roles/roles.ts'

/** How events describe the browser that acknowledges. */
type Origin = Pick<ReturnType<Caller['subject']>, 'ip_address' | 'client'>

/**
 * Acknowledges the alarm of a notification as the user whom it was sent to, who may have lost the right to since.
 * The token is used up with the change: if that fails, it can be used again.
 */
export function acknowledgeByToken(context: Context, token: string, origin: Origin): Promise<object> {
  return context.db.transaction(async db => {
    const bound = await takeAcknowledgeToken({ db, clock: context.clock }, token)
    if (!bound) throw unknown()
    const { organization_id, alarm_id, user_id, created_at } = bound
    const membership = await findMembership(context, organization_id, user_id)
    if (!membership) throw unknown()
    const { signed_out_at } = membership
    if (signed_out_at !== null && created_at <= signed_out_at) throw refused('sign_in_again')
    const scopes = scopesOf(membership.role)
    if (!scopes.includes('full_read_write'))
      throw new RequestError('permission_denied', 'as a viewer, you cannot acknowledge alarms', {
        args: { reason: 'role_too_low', role: 'administrator' },
      })
    const caller: Caller = {
      organization_id,
      oauth_application_id: undefined,
      user_id,
      scopes,
      features: membership.features,
      subject: () => ({ user_id, ...origin }),
    }
    const { id, state } = await acknowledgeAlarm({
      work: { context, db, caller, now: context.clock.now() },
      target: { resource: resources.alarm, reach: { organization_id } },
      id: alarm_id,
      ids: {},
      query: {},
      readBody: () => ({}),
    })
    return { alarm_id: id, state }
  })
}

function unknown(): RequestError {
  return new RequestError('not_found', 'this notification was used before, or is older than a day')
}
