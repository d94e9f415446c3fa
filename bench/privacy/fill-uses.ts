import { addSeconds } from '@gatehouse-access/core'
import { systemClock } from '../../packages/server/src/index.ts'
import { logEvents } from '../../packages/server/src/store/event-log.ts'
import type { Service } from '../service.ts'

const batch = 2000

/** Has a member use a door, once a second until now. */
export async function fillUses(
  { db }: Service,
  organization_id: string,
  member_id: string,
  count: number,
): Promise<void> {
  const now = systemClock.now()
  for (let done = 0; done < count; done += batch)
    await db.transaction(inner =>
      logEvents(
        inner,
        Array.from({ length: batch }, (_, index) => ({
          organization_id,
          subject: { member_id, access_method: 'pin' as const },
          verb: 'use' as const,
          object: { type: 'gadget_action' as const, gadget_action_id: 'open' },
          created_at: addSeconds(now, -done - index),
          recorded_at: now,
        })),
      ),
    )
  await db.query('VACUUM ANALYZE events')
}
