import { expectedZone, flag, optional, refuse, required, timezone } from '@gatehouse-access/api'
import { endWeekly, findWish, wishWeekly } from '../../services/reports/weekly.ts'
import { idOf } from '../kit/path-and-query.ts'
import { readBody, requireMember, type Visit } from './visit.ts'

export async function getWeeklyReport(visit: Visit): Promise<object> {
  await requireMember(visit)
  return findWish(visit.context.db, placeOf(visit))
}

export async function editWeeklyReport(visit: Visit): Promise<object> {
  await requireMember(visit)
  const { context } = visit
  const { is_on, zone = 'UTC' } = readBody(visit, {
    is_on: required(flag, 'Whether to send it.'),
    zone: optional(timezone, 'Whose weeks and whose Monday morning.'),
  })
  if (context.zones.find(zone) === undefined) return refuse('zone', expectedZone, zone)
  if (is_on) await wishWeekly(context, placeOf(visit), zone)
  else await endWeekly(context.db, placeOf(visit))
  return findWish(context.db, placeOf(visit))
}

function placeOf(visit: Visit) {
  return { organization_id: idOf(visit, 'organization_id'), user_id: visit.session.user_id }
}
