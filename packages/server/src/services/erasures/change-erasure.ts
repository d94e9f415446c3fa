import { type ChangesOf, type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { logEvents } from '../../store/event-log.ts'
import { findObject } from '../../store/find.ts'
import type { Write } from '../../store/write.ts'

export const hidden = ['stage', 'device_ids', 'card_ids', 'worked_at'] as const
export type Erasure = StoredOf<Resources['erasure'], (typeof hidden)[number]>
type Changes = ChangesOf<Resources['erasure']>

const jsonColumns: ReadonlySet<string> = new Set(['counts'])

export function findErasure(db: Database, organization_id: string, id: string): Promise<Erasure | undefined> {
  return findObject(db, resources.erasure, { organization_id }, id, { lock: true, hidden: [...hidden] })
}

/** Stores how far an erasure has come. Nobody is told of steps in between. */
export async function noteErasure(db: Database, erasure: Erasure, changes: Changes): Promise<Erasure> {
  const names = Object.keys(changes)
  const sets = names.map((name, index) => `${name} = $${index + 3}${jsonColumns.has(name) ? '::jsonb' : ''}`)
  const values = new Map(Object.entries(changes))
  await db.query(`UPDATE erasures SET ${sets.join(', ')} WHERE organization_id = $1 AND id = $2`, [
    erasure.organization_id,
    erasure.id,
    ...names.map(name => values.get(name)),
  ])
  return { ...erasure, ...changes }
}

/** Stores another state with its event, which does not name the member: only that of the creation does. Returns the event, too. */
export async function moveErasure(
  { db, caller, now }: Write,
  erasure: Erasure,
  changes: Changes & Pick<Erasure, 'state'>,
): Promise<{ readonly erasure: Erasure; readonly event_id: string }> {
  const { organization_id, id: erasure_id, state: before } = erasure
  const moved = await noteErasure(db, erasure, changes)
  const { receipt_hash } = changes
  const [event_id = ''] = await logEvents(db, [
    {
      organization_id,
      subject: caller.subject(),
      verb: 'edit',
      object: {
        type: 'erasure',
        erasure_id,
        ...(receipt_hash && { receipt_hash }),
        changes: [{ field: 'state', before, after: changes.state }],
      },
      recorded_at: now,
    },
  ])
  return { erasure: moved, event_id }
}
