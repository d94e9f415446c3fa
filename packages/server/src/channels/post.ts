import { type Sender, send } from '../delivery/webhooks/send.ts'
import { literalAddress } from '../outbound/addresses.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

interface Request {
  /** Whose names are resolved: an organization or a user. */
  readonly owner_id: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Posts to an address that a customer gave, as webhooks are sent: the address is checked, redirects are not
 * followed, and the attempt ends after 10 seconds. Never rejects.
 */
export async function post(sender: Sender, { owner_id, url, headers, body }: Request): Promise<Outcome> {
  const { origin, pathname, search, hostname } = new URL(url)
  const target = { origin, path: pathname + search, address: literalAddress(hostname) }
  const flat = Object.entries(headers).flat()
  return outcomeOf(await send(sender, { organization_id: owner_id, target, headers: flat, body }))
}
