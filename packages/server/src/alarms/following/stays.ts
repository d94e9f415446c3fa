import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { StoredEvent } from '../../events/feed-event.ts'
import type { Author } from '../condition.ts'
import { setTimers } from '../timers.ts'

/** Seconds before the beginning of a stay from which its doors should know of it. */
const soon = 3600
/** Seconds that a change has to arrive. */
const patience = 30

const kinds = new Set<string>(['member', 'member_group_association', 'member_pin', 'member_card'])

/** Of members whose stay begins: sets when to look whether their doors know of it. */
export async function followStays(
  db: Database,
  { caller, now }: Author,
  events: readonly StoredEvent[],
): Promise<void> {
  const changed = events.filter(({ object, verb }) => kinds.has(object.type) && isChange(verb))
  const ids = new Set(changed.flatMap(({ object }) => object.member_id ?? []))
  if (ids.size === 0) return
  const stays = await db.query<{ id: string; starts_at: string }>(
    `SELECT m.id, min(s.starts_at) AS starts_at FROM members m JOIN member_group_associations a
       ON a.organization_id = m.organization_id AND a.member_id = m.id AND NOT a.is_deleted
     CROSS JOIN LATERAL (SELECT greatest(m.starts_at, a.starts_at) AS starts_at) s
     WHERE m.organization_id = $1 AND m.id = ANY($2::text[]) AND NOT m.is_deleted AND s.starts_at > $3 GROUP BY m.id`,
    [caller.organization_id, [...ids], addSeconds(now, -soon)],
  )
  const earliest = addSeconds(now, patience)
  await setTimers(
    db,
    caller.organization_id,
    stays.map(({ id, starts_at }) => {
      const due = addSeconds(starts_at, -soon)
      return { kind: 'stay', key: id, due_at: due > earliest ? due : earliest, about: {} }
    }),
  )
}

function isChange(verb: StoredEvent['verb']): boolean {
  return verb === 'create' || verb === 'edit' || verb === 'delete'
}
