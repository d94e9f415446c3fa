import { resources } from '@gatehouse-access/api'
import { endEmergency, holdEmergency } from '../../doors/end-emergency.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { serviceCaller } from '../../store/caller.ts'
import { updateObject, type Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'

/**
 * Seconds after which an emergency is renewed, so that controllers that lose the network hold on to it: an hour,
 * or a third of a short lease, which connected controllers must never see the end of.
 */
const renewal = 'make_interval(secs => least(3600, offline_hold_seconds / 3))'

interface Due {
  readonly organization_id: string
  readonly id: string
}

/**
 * Ends emergencies when it is time, and renews the others. Any number of processes may run this at once: each
 * takes rows that no other holds.
 */
export async function tendEmergencies(context: Context): Promise<void> {
  const now = context.clock.now()
  const due = await context.db.query<Due>(
    `SELECT organization_id, id FROM emergencies e WHERE ended_at IS NULL
       AND (ends_at <= $1 OR (offline_hold_seconds IS NOT NULL AND renewed_at <= $1::timestamptz - ${renewal}))
       AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = e.organization_id)
     ORDER BY organization_id, id`,
    [now],
  )
  await eachApart(due, ({ id, organization_id }) =>
    context.db.transaction(db => tend({ db, caller: serviceCaller(organization_id), now }, id)),
  )
}

async function tend(write: Write, id: string): Promise<void> {
  const { caller, db, now } = write
  const [free] = await db.query<{ is_stale: boolean }>(
    `SELECT offline_hold_seconds IS NOT NULL AND renewed_at <= $3::timestamptz - ${renewal} AS is_stale FROM emergencies
     WHERE organization_id = $1 AND id = $2 AND ended_at IS NULL FOR UPDATE SKIP LOCKED`,
    [caller.organization_id, id, now],
  )
  if (!free) return
  const emergency = await holdEmergency(write, id)
  if (emergency.ends_at !== null && emergency.ends_at <= now) await endEmergency(write, emergency)
  else if (free.is_stale) await updateObject(write, resources.emergency, emergency, { renewed_at: now })
}
