import { expectedZone, invalid, RequestError, readsKind, refuse, type SiteZone } from '@gatehouse-access/api'
import { keepTables } from '../../zones/last-tables.ts'
import type { InputOf } from '../objects/action.ts'
import { behaviour } from '../objects/behaviour.ts'
import type { Work } from '../objects/context.ts'
import { getObject } from '../objects/objects.ts'
import { settleFire } from './site-fire.ts'

export const siteBehaviour = behaviour('site', {
  beforeCreate: (work, { timezone }) => settleZone(work, timezone),
  async beforeEdit(work, before, { calendar_ids, fire, timezone }) {
    if (calendar_ids !== undefined) requireCalendars(work)
    return {
      ...(timezone !== undefined && (await settleZone(work, timezone))),
      ...(fire !== undefined && (await settleFire(work, before.id, before.fire, fire))),
    }
  },
})

/** Calendars say when schedules are open, and are not for those who edit only sites. */
function requireCalendars({ caller }: Work): void {
  if (readsKind(caller.scopes, 'calendar')) return
  throw new RequestError(
    'permission_denied',
    'your role does not include the calendars of a site; ask an administrator',
    { args: { reason: 'role_too_low', role: 'administrator' } },
  )
}

/** Spells a zone as the zone data does, and stores its table: it must outlive the data. Throws if it is unknown. */
async function settleZone({ context: { db, zones } }: Work, timezone: string): Promise<{ timezone: string }> {
  const spelled = zones.find(timezone)
  if (spelled === undefined) return refuse('timezone', expectedZone, timezone)
  // Outside of the transaction, which would make all new sites of the zone wait for each other.
  await keepTables(db, zones, [spelled])
  return { timezone: spelled }
}

/** Answers by which table the service decides at a site. */
export async function showZone({ work, target, id }: InputOf<'site', 'zone'>): Promise<SiteZone> {
  const { timezone } = await getObject(work, target, id)
  const table = work.context.zones.table(timezone)
  if (!table) throw invalid('timezone', `nothing is known of the time zone ${timezone}; choose another`)
  return { timezone, ...table }
}
