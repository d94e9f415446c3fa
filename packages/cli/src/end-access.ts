import type { ObjectOf, Resources } from '@gatehouse-access/api'
import { answeredAt, type Client } from '@gatehouse-access/sdk'

/** Ends the access of a member now: by the clock of the service, because doors admit by it. */
export async function endAccess({ members }: Client, id: string): Promise<ObjectOf<Resources['member']>> {
  return members.edit(id, { ends_at: answeredAt(await members.get(id)) })
}
