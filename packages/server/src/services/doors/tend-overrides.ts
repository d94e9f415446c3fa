import { resources } from '@gatehouse-access/api'
import { overridesOver, toMicroseconds } from '@gatehouse-access/core'
import { eachApart } from '../../flow/each-apart.ts'
import { present } from '../../flow/present.ts'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { logObject, type Write } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'

const batch = 500

interface Timed {
  readonly organization_id: string
  readonly id: string
}

const isHere = 'NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = o.organization_id)'

/** Removes overrides that are over. They have no effect any more, so nothing depends on when. */
export async function tendOverrides(context: Context): Promise<void> {
  const due = await context.db.query<Timed>(
    `SELECT organization_id, id FROM overrides o WHERE NOT is_deleted AND until <= $1 AND ${isHere} ORDER BY until LIMIT ${batch}`,
    [context.clock.now()],
  )
  await removeAll(context, due)
}

/** Likewise those until the next turn of unlock rules: only the engine knows when that was. */
export async function tendTurnedOverrides(context: Context): Promise<void> {
  const waiting = await context.db.query<Timed>(
    `SELECT organization_id, id FROM overrides o WHERE NOT is_deleted AND lasts = 'until_turn' AND ${isHere} ORDER BY organization_id, id`,
  )
  const at = toMicroseconds(context.clock.now())
  const byOrganization = Map.groupBy(waiting, ({ organization_id }) => organization_id)
  await eachApart([...byOrganization], async ([organization_id, rows]) => {
    const ids = await context.doors.ask(organization_id, policy =>
      overridesOver(
        policy,
        rows.map(({ id }) => id),
        at,
      ),
    )
    await removeAll(
      context,
      ids.map(id => ({ organization_id, id })),
    )
  })
}

function removeAll(context: Context, due: readonly Timed[]): Promise<void> {
  return eachApart(due, ({ id, organization_id }) =>
    context.db.transaction(db =>
      remove({ db, caller: serviceCaller(organization_id), now: context.clock.now() }, id),
    ),
  )
}

/** Somebody may have set another one meanwhile: that stays. */
async function remove(write: Write, id: string): Promise<void> {
  const { caller, db, now } = write
  const { organization_id } = caller
  const removed = await db.query(
    `UPDATE overrides SET is_deleted = true WHERE organization_id = $1 AND id = $2 AND NOT is_deleted AND set_at < $3
       AND (lasts = 'until_turn' OR until <= $3) RETURNING 1`,
    [organization_id, id, now],
  )
  if (removed.length === 0) return
  const gadget = await findObject(db, resources.gadget, { organization_id }, id)
  await logObject(write, resources.gadget, 'edit', present(gadget, `gadget ${id}`), { reason: 'mode_ended' })
}
