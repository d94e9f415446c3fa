import { resources } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { endEmergency, holdEmergency } from '../../doors/end-emergency.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { serviceCaller } from '../../store/caller.ts'
import { updateObject, type Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'

/** Seconds after which an emergency is renewed, so that controllers that lose the network hold on to it. */
const lease = 3600

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
       AND (ends_at <= $1 OR (renewed_at <= $2 AND offline_hold_seconds IS NOT NULL))
       AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = e.organization_id)
     ORDER BY organization_id, id`,
    [now, addSeconds(now, -lease)],
  )
  await eachApart(due, ({ id, organization_id }) =>
    context.db.transaction(db => tend({ db, caller: serviceCaller(organization_id), now }, id)),
  )
}

async function tend(write: Write, id: string): Promise<void> {
  const { caller, db, now } = write
  const free = await db.query(
    'SELECT 1 FROM emergencies WHERE organization_id = $1 AND id = $2 AND ended_at IS NULL FOR UPDATE SKIP LOCKED',
    [caller.organization_id, id],
  )
  if (free.length === 0) return
  const emergency = await holdEmergency(write, id)
  if (emergency.ends_at !== null && emergency.ends_at <= now) await endEmergency(write, emergency)
  else if (emergency.renewed_at <= addSeconds(now, -lease))
    await updateObject(write, resources.emergency, emergency, { renewed_at: now })
}
