import { mostPreviewed, type PrivacyPreview } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { isEventHeld } from '../../erasing/holds.ts'
import type { InputOf } from '../objects/action.ts'
import { type Expiry, expiries, expiring } from './event-classes.ts'

const day = 24 * 3600

/** `GET /organization/privacy_preview`: what periods would remove. Reads a limited number of rows, however many there are. */
export async function previewPrivacy({
  work,
  query,
}: InputOf<'organization', 'privacy_preview'>): Promise<PrivacyPreview> {
  const { db, caller, now } = work
  let is_cut = false
  const count = async (what: Expiry | 'members'): Promise<number> => {
    const days = query[what === 'members' ? 'member_days' : expiries[what]]
    if (days === undefined) return 0
    const before = addSeconds(now, -days * day)
    const rows =
      what === 'members'
        ? await countMembers(db, caller.organization_id, before)
        : await countEvents(db, caller.organization_id, before, now, what)
    is_cut ||= (rows[0]?.examined ?? 0) >= mostPreviewed
    return rows[0]?.counted ?? 0
  }
  return {
    members: await count('members'),
    access: await count('access'),
    access_deleted: await count('access_deleted'),
    other: await count('other'),
    device: await count('device'),
    is_cut,
  }
}

interface Counted {
  readonly counted: number
  readonly examined: number
}

function countEvents(
  db: Database,
  organization_id: string,
  before: string,
  now: string,
  expiry: Expiry,
): Promise<Counted[]> {
  return db.query<Counted>(
    `SELECT count(*) FILTER (WHERE ${expiring[expiry]} AND NOT ${isEventHeld('t', '$3')})::integer AS counted, count(*)::integer AS examined
     FROM (SELECT subject, verb, object, created_at FROM events WHERE organization_id = $1 AND created_at < $2
       ORDER BY created_at, id LIMIT ${mostPreviewed}) t`,
    [organization_id, before, now],
  )
}

/** When a member was deleted is known by its last event of that. */
function countMembers(db: Database, organization_id: string, before: string): Promise<Counted[]> {
  return db.query<Counted>(
    `SELECT count(DISTINCT m.id)::integer AS counted, count(*)::integer AS examined
     FROM (SELECT object->>'member_id' AS id FROM events WHERE organization_id = $1 AND (object->>'type') = 'member'
         AND verb = 'delete' AND created_at < $2 ORDER BY created_at, id LIMIT ${mostPreviewed}) e
       LEFT JOIN members m ON m.organization_id = $1 AND m.id = e.id AND m.is_deleted AND m.erased_at IS NULL`,
    [organization_id, before],
  )
}
