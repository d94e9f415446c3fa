import type { Database } from '../database/db.ts'
import { holdAlarms } from './alarm-row.ts'
import type { Author } from './condition.ts'
import { type Changed, updateAlarms } from './store-alarms.ts'
import { setTimers, type Timer } from './timers.ts'

/** Alarms that are changed at once. The rest follows a moment later. */
const most = 200

/**
 * Devices or sites that are in maintenance from now on, or no longer. Nobody is told of their alarms meanwhile, also
 * of those from before. What is still on when it ends is told then: whoever worked there may have left it like that.
 */
export async function followMaintenance(db: Database, author: Author, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { organization_id } = author.caller
  const turned = await findTurned(db, author, ids)
  const rows = await holdAlarms(db, organization_id, [...turned.keys()])
  const changed = rows.flatMap((row): Changed[] => {
    const in_maintenance = turned.get(row.id) ?? row.in_maintenance
    // Something may have happened to it before it was locked.
    if (in_maintenance === row.in_maintenance || row.is_over || row.state === 'closed') return []
    const isKept = in_maintenance || row.cause_alarm_id !== null
    return [{ row: { ...row, in_maintenance }, reason: isKept ? undefined : 'unexplained' }]
  })
  await updateAlarms(db, author, changed)
  await setTimers(db, organization_id, await findNext(db, author, ids, turned.size === most))
}

/** Returns alarms that are on and do not say yet whether there is maintenance now, and whether there is. */
async function findTurned(
  db: Database,
  { caller, now }: Author,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const at = (key: 'site_id' | 'device_id') =>
    `SELECT a.id, NOT a.in_maintenance AS in_maintenance FROM alarms a LEFT JOIN devices d ON d.organization_id = $1 AND d.id = a.device_id
       LEFT JOIN sites s ON s.organization_id = $1 AND s.id = a.site_id
     WHERE a.organization_id = $1 AND NOT a.is_deleted AND a.${key} = ANY($2::text[]) AND NOT a.is_over AND a.state <> 'closed'
       AND a.in_maintenance <> coalesce(greatest(s.maintenance_until, d.maintenance_until) > $3, false)`
  const rows = await db.query<{ id: string; in_maintenance: boolean }>(
    `${at('site_id')} UNION ${at('device_id')} LIMIT ${most}`,
    [caller.organization_id, ids, now],
  )
  return new Map(rows.map(({ id, in_maintenance }) => [id, in_maintenance]))
}

async function findNext(
  db: Database,
  { caller, now }: Author,
  ids: readonly string[],
  isMore: boolean,
): Promise<Timer[]> {
  const places = await db.query<{ id: string; until: string }>(
    `SELECT id, maintenance_until AS until FROM devices WHERE organization_id = $1 AND id = ANY($2::text[]) AND maintenance_until > $3
     UNION ALL SELECT id, maintenance_until FROM sites WHERE organization_id = $1 AND id = ANY($2::text[]) AND maintenance_until > $3`,
    [caller.organization_id, ids, now],
  )
  const ends = new Map(places.map(({ id, until }) => [id, until]))
  return ids.flatMap((key): Timer[] => {
    const due_at = isMore ? now : ends.get(key)
    return due_at === undefined ? [] : [{ kind: 'maintenance', key, due_at, about: {} }]
  })
}
