import { type Client, createClient } from '@gatehouse-access/sdk'
import type { Visitor } from './visitor.ts'

/** Calls the API as a signed-in user does in the console. */
export async function clientOf(visitor: Visitor, organization_id: string): Promise<Client> {
  const { body } = await visitor.account<{ csrf_token: string }>('GET', '/account/session')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'x-csrf-token': body.csrf_token, 'x-organization-id': organization_id }
  return createClient({ base_url: `${visitor.url}/v2`, headers, retries: 0 })
}
