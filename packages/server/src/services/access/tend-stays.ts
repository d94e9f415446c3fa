import { resources, type SyncItem } from '@gatehouse-access/api'
import { addSeconds } from '@gatehouse-access/core'
import { type Condition, conditionKey, type End } from '../../alarms/condition.ts'
import { endAlarms } from '../../alarms/end-alarms.ts'
import { openAlarms } from '../../alarms/open-alarms.ts'
import { setTimers } from '../../alarms/timers.ts'
import { eachApart } from '../../flow/each-apart.ts'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import type { Context } from '../objects/context.ts'
import { findSyncItems, loadSyncing, type Syncing } from './sync.ts'

/** Members of an organization that are looked at in one turn. */
const batch = 50
/** Seconds until a stay at risk is looked at again. */
const again = 60

type Needs = Pick<Context, 'db' | 'clock'>

/** Finds stays that begin within the hour and that doors have not confirmed. */
export async function tendStays({ db, clock }: Needs): Promise<void> {
  const due = await db.query<{ organization_id: string }>(
    `SELECT DISTINCT organization_id FROM alarm_timers t WHERE due_at <= $1 AND kind = 'stay'
       AND NOT EXISTS (SELECT 1 FROM organization_imports i WHERE i.organization_id = t.organization_id)`,
    [clock.now()],
  )
  await eachApart(due, ({ organization_id }) => tendOne({ db, clock }, organization_id))
}

/** Nothing is locked while it looks: twice is as good as once. */
async function tendOne({ db, clock }: Needs, organizationId: string): Promise<void> {
  const now = clock.now()
  const due = await db.query<{ key: string }>(
    `SELECT key FROM alarm_timers WHERE organization_id = $1 AND due_at <= $2 AND kind = 'stay' ORDER BY due_at, key LIMIT ${batch}`,
    [organizationId, now],
  )
  const syncing = await loadSyncing(db, organizationId)
  const begun: Condition[] = []
  const ends: End[] = []
  for (const { key } of due) {
    const condition = await findRisk({ db, clock }, syncing, key)
    if (condition) begun.push(condition)
    else ends.push({ condition_key: conditionKey('sync_at_risk', key), ended_at: now })
  }
  await db.transaction(async inner => {
    const author = { caller: serviceCaller(organizationId), now }
    await inner.query(
      `DELETE FROM alarm_timers WHERE organization_id = $1 AND kind = 'stay' AND key = ANY($2::text[]) AND due_at <= $3`,
      [organizationId, due.map(({ key }) => key), now],
    )
    await openAlarms(inner, author, begun)
    await endAlarms(inner, author, ends)
    await setTimers(
      inner,
      organizationId,
      begun.map(({ member_id }) => ({
        kind: 'stay',
        key: member_id ?? '',
        due_at: addSeconds(now, again),
        about: {},
      })),
    )
  })
}

async function findRisk(
  { db, clock }: Needs,
  syncing: Syncing,
  member_id: string,
): Promise<Condition | undefined> {
  const { organization_id } = syncing
  const now = clock.now()
  const member = await findObject(db, resources.member, { organization_id }, member_id)
  if (!member || member.is_deleted) return undefined
  const items = await findSyncItems(db, syncing, member, now)
  const risks = items.filter(({ at_risk, is_deleted }) => at_risk && !is_deleted)
  if (risks.length === 0) return undefined
  const condition_key = conditionKey('sync_at_risk', member_id)
  return { type: 'sync_at_risk', condition_key, member_id, device_id: deviceOf(risks), started_at: now }
}

/** A device that is connected and has not confirmed, if there is one: no device that is offline explains that. */
function deviceOf(risks: readonly SyncItem[]): string | null {
  const pending = risks.flatMap(({ pending_devices }) => pending_devices)
  return (pending.find(({ online }) => online) ?? pending[0])?.device_id ?? null
}
