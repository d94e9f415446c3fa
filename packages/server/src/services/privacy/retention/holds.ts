import { hash } from 'node:crypto'
import type { Database } from '../../../database/db.ts'
import type { EventColumns } from '../../../events/feed-event.ts'

interface Hold {
  readonly id: string
  readonly member_ids: readonly string[] | null
  readonly gadget_ids: readonly string[] | null
  readonly starts_at: string | null
  readonly ends_at: string | null
}

/** What legal holds say of an event. */
export interface Holds {
  /** Identifies what is held: when it changes, what was spared may expire. Null if there is none. */
  readonly key: string | null
  covers(event: HeldEvent): boolean
}

export type HeldEvent = Pick<EventColumns, 'subject' | 'object' | 'created_at'>

export async function readHolds(db: Database, organization_id: string, now: string): Promise<Holds> {
  const holds = await db.query<Hold>(
    `SELECT id, member_ids, gadget_ids, starts_at, ends_at FROM legal_holds
     WHERE organization_id = $1 AND NOT is_deleted AND expires_at > $2 ORDER BY id`,
    [organization_id, now],
  )
  const tests = holds.map(coverageOf)
  return {
    key: holds.length === 0 ? null : hash('sha256', JSON.stringify(holds)),
    covers: event => tests.some(covers => covers(event)),
  }
}

/** All that a hold says must be true of an event. */
function coverageOf({ member_ids, gadget_ids, starts_at, ends_at }: Hold): (event: HeldEvent) => boolean {
  const members = member_ids && new Set<unknown>(member_ids)
  const gadgets = gadget_ids && new Set<unknown>(gadget_ids)
  return ({ subject, object, created_at }) =>
    (!members || members.has(subject.member_id) || members.has(object.member_id)) &&
    (!gadgets || gadgets.has(object.gadget_id)) &&
    (!starts_at || created_at >= starts_at) &&
    (!ends_at || created_at < ends_at)
}
