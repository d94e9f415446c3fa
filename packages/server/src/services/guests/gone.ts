import { RequestError } from '@gatehouse-access/api'
import { brandColors } from '@gatehouse-access/core'
import type { Context } from '../objects/context.ts'
import { logoUrl } from '../organizations/logos.ts'
import { listPlaces } from './places.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'config' | 'vault'>

interface Gone {
  readonly organization_id: string
  readonly member_id: string
  readonly member_ends_at?: string | null
  readonly is_credential_deleted: boolean
}

/**
 * An ended stay is deleted a day later. That is no revocation, so the guest is told when it ended. Whoever
 * holds a credential that was never revoked is also told where it was and whom to call, with the logo and the
 * colors of the organization, which any phone can see that was at its page. Nothing is told of the member.
 */
export async function memberGone(context: Needs, gone: Gone): Promise<RequestError> {
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

async function whomToAsk(context: Needs, gone: Gone): Promise<Record<string, string>> {
  const [places, host] = await Promise.all([listPlaces(context.db, gone), findHost(context, gone)])
  const { name: site, timezone, phone, email } = places[0] ?? {}
  const told = Object.entries({ ...host, site, timezone, phone, email })
  return Object.fromEntries(told.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

async function findHost(context: Needs, { organization_id }: Gone) {
  const [host] = await context.db.query<{ name: string; color: string | null; logo_hash: string | null }>(
    'SELECT name, color, logo_hash FROM organizations WHERE id = $1',
    [organization_id],
  )
  return {
    organization: host?.name,
    logo_url: host?.logo_hash && logoUrl(context, organization_id, host.logo_hash),
    // Arguments of an error are texts.
    colors: host?.color && JSON.stringify(brandColors(host.color)),
  }
}
