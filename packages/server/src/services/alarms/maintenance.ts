import { invalid } from '@gatehouse-access/api'
import { setTimers } from '../../alarms/timers.ts'
import type { InputOf } from '../objects/action.ts'
import type { Work } from '../objects/context.ts'
import { applyEdit, getObject } from '../objects/objects.ts'
import { checkQuiet } from './check-quiet.ts'

/** `POST /devices/{id}/maintenance` */
export function maintainDevice({ work, target, id, readBody }: InputOf<'device', 'maintenance'>) {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const device = await getObject(inner, target, id, true)
    const changes = maintained(device, readBody(), work.now)
    await lookSoon(inner, id)
    return applyEdit(inner, target.resource, device, changes)
  })
}

/** `POST /sites/{id}/maintenance` */
export function maintainSite({ work, target, id, readBody }: InputOf<'site', 'maintenance'>) {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const site = await getObject(inner, target, id, true)
    const changes = maintained(site, readBody(), work.now)
    await lookSoon(inner, id)
    return applyEdit(inner, target.resource, site, changes)
  })
}

/** Alarms of there follow by themselves: they may be many. */
function lookSoon({ caller, db, now }: Work, key: string): Promise<void> {
  return setTimers(db, caller.organization_id, [{ kind: 'maintenance', key, due_at: now, about: {} }])
}

function maintained(
  { id, is_deleted }: { readonly id: string; readonly is_deleted: boolean },
  { until }: { readonly until?: string | null },
  now: string,
): { maintenance_until: string | null } {
  if (until === undefined) throw invalid('until', 'until is required; null ends the maintenance')
  if (is_deleted) throw invalid('is_deleted', `${id} is deleted; restore it first`)
  if (until !== null) checkQuiet(until, now)
  return { maintenance_until: until }
}
