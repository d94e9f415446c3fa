import { type Policy, type PolicyKind, type Steps, settleSteps } from '@gatehouse/core'
import type { Database, Row } from '../database/db.ts'
import { type Moment, momentOf, presentMoment } from '../database/moment.ts'
import { putRows } from './load.ts'
import { selectRows } from './rows.ts'

/** More changes than this are cheaper to compile anew. */
export const mostChanges = 20_000

/** An object that has changed since a moment. */
export interface Changed {
  readonly type: string
  readonly id: string
}

/**
 * What has been committed since a moment, in one indexed read, and the present one. Every change of an object is an event of the
 * same transaction, so events whose transaction the snapshot could not see are exactly what the policy may lack. In another
 * epoch nobody knows: what a policy was made of may be gone, and `changed` is undefined.
 */
export async function findChanges(
  db: Database,
  organizationId: string,
  since: Moment,
): Promise<{ moment: Moment; changed: Changed[] | undefined }> {
  const rows = await db.query<Moment & { type: string | null; id: string }>(
    `SELECT now.epoch, now.snapshot, e.object->>'type' AS type, e.object->>((e.object->>'type') || '_id') AS id
     FROM (SELECT ${presentMoment}) now LEFT JOIN events e
       ON e.organization_id = $1 AND e.epoch = $2::integer AND e.transaction_id >= pg_snapshot_xmin($3::pg_snapshot)
       AND NOT pg_visible_in_snapshot(e.transaction_id, $3::pg_snapshot) AND e.verb IN ('create', 'edit', 'delete') AND e.object->>'type' = ANY($4::text[]) LIMIT ${mostChanges + 1}`,
    [organizationId, since.epoch, since.snapshot, Object.keys(readAgain)],
  )
  const moment = momentOf(rows[0] as Moment)
  const changed = rows.filter((row): row is Changed & Moment => row.type !== null)
  return { moment, changed: moment.epoch === since.epoch ? changed : undefined }
}

/** Which rows to read again for a changed object. A member that lives again brings what was not loaded while it did not. */
const readAgain: Record<string, readonly (readonly [PolicyKind, string])[]> = {
  site: [['sites', 'id']],
  device: [['devices', 'id']],
  gadget: [['gadgets', 'id']],
  schedule: [['schedules', 'id']],
  member_group: [['groups', 'id']],
  member: [
    ['members', 'id'],
    ['associations', 'member_id'],
    ['credentials', 'member_id'],
  ],
  member_group_association: [['associations', 'id']],
  member_email: [['credentials', 'id']],
  member_magic_link: [['credentials', 'id']],
  member_pin: [['credentials', 'id']],
  member_card: [['credentials', 'id']],
  member_token: [['credentials', 'id']],
  card: [['credentials', 'card_id']],
}

/** The newest rows of what has changed, all as of one moment. */
export type Delta = readonly (readonly [PolicyKind, readonly Row[]])[]

export async function readDelta(
  db: Database,
  organizationId: string,
  changed: readonly Changed[],
): Promise<Delta> {
  const delta: [PolicyKind, readonly Row[]][] = []
  for (const [type, group] of Map.groupBy(changed, ({ type }) => type)) {
    const ids = [...new Set(group.map(({ id }) => id))]
    for (const [kind, column] of readAgain[type] ?? [])
      for await (const rows of selectRows(db, organizationId, kind, { column, ids })) delta.push([kind, rows])
  }
  return delta
}

/** Nobody may ask the policy until the last step is done, so that no decision sees half of a change. */
export function* applyDelta(policy: Policy, delta: Delta): Steps<void> {
  for (const [kind, rows] of delta) yield* putRows(policy, kind, rows)
  yield* settleSteps(policy)
}
