import { RequestError } from '@gatehouse-access/api'
import type { Context } from '../objects/context.ts'
import { listPlaces } from './places.ts'

interface Gone {
  readonly organization_id: string
  readonly member_id: string
  readonly member_ends_at?: string | null
  readonly is_credential_deleted: boolean
}

/**
 * An ended stay is deleted a day later. That is no revocation, so the guest is told when it ended. Whoever
 * holds a credential that was never revoked is also told where it was and whom to call.
 */
export async function memberGone(context: Pick<Context, 'db' | 'clock'>, gone: Gone): Promise<RequestError> {
  const { member_ends_at } = gone
  const ended_at = member_ends_at && member_ends_at <= context.clock.now() ? member_ends_at : undefined
  return new RequestError(
    'permission_denied',
    ended_at ? `this access ended at ${ended_at}` : 'this access was revoked',
    {
      args: {
        reason: 'member_deleted',
        ...(ended_at && { ended_at }),
        ...(gone.is_credential_deleted ? {} : await whomToAsk(context, gone)),
      },
    },
  )
}

async function whomToAsk({ db }: Pick<Context, 'db'>, gone: Gone): Promise<Record<string, string>> {
  const [places, [host]] = await Promise.all([
    listPlaces(db, gone),
    db.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [gone.organization_id]),
  ])
  const { name: site, timezone, phone, email } = places[0] ?? {}
  const told = Object.entries({ organization: host?.name, site, timezone, phone, email })
  return Object.fromEntries(told.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
