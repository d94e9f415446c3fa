import { mostPreviewed, type PrivacyPreview } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import type { InputOf } from '../objects/action.ts'
import { type EventClass, eventClasses } from './event-classes.ts'

const day = 24 * 3600

/** `GET /organization/privacy_preview`: what periods would remove. Reads a limited number of rows, however many there are. */
export async function previewPrivacy({
  work,
  query,
}: InputOf<'organization', 'privacy_preview'>): Promise<PrivacyPreview> {
  const { db, caller, now } = work
  let is_cut = false
  const count = async (statement: string, days: number | undefined): Promise<number> => {
    if (days === undefined) return 0
    const { counted, examined } = await countOf(
      db,
      statement,
      caller.organization_id,
      addSeconds(now, -days * day),
    )
    is_cut ||= examined >= mostPreviewed
    return counted
  }
  const ofClass = (meant: EventClass) => count(countEvents(meant), query[meant.period])
  return {
    members: await count(countMembers, query.member_days),
    access: await ofClass(eventClasses.access),
    access_deleted: await ofClass(eventClasses.access_deleted),
    other: await ofClass(eventClasses.other),
    device: await ofClass(eventClasses.device),
    is_cut,
  }
}

interface Counted {
  readonly counted: number
  readonly examined: number
}

async function countOf(
  db: Database,
  statement: string,
  organization_id: string,
  before: string,
): Promise<Counted> {
  const [row] = await db.query<Counted>(statement, [organization_id, before])
  return row ?? { counted: 0, examined: 0 }
}

function countEvents({ condition }: EventClass): string {
  return `SELECT count(*) FILTER (WHERE ${condition})::integer AS counted, count(*)::integer AS examined
    FROM (SELECT subject, verb, object FROM events WHERE organization_id = $1 AND created_at < $2
      ORDER BY created_at, id LIMIT ${mostPreviewed}) t`
}

/** When a member was deleted is known by its last event of that. */
const countMembers = `SELECT count(*) FILTER (WHERE m.is_deleted)::integer AS counted, count(*)::integer AS examined
  FROM (SELECT object->>'member_id' AS id FROM events WHERE organization_id = $1 AND (object->>'type') = 'member'
      AND verb = 'delete' AND created_at < $2 ORDER BY created_at, id LIMIT ${mostPreviewed}) e
    LEFT JOIN members m ON m.organization_id = $1 AND m.id = e.id`
