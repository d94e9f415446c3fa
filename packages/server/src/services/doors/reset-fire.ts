import { invalid, type Resources, type StoredOf } from '@gatehouse-access/api'
import { resetFire } from '../../doors/fires.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

/** `POST /sites/{id}/fire_reset`: somebody has made sure that it is over. */
export function resetFireNow({
  work,
  target,
  id,
}: InputOf<'site', 'fire_reset'>): Promise<StoredOf<Resources['site']>> {
  return work.db.transaction(async db => {
    const inner = { ...work, db }
    const site = await getObject(inner, target, id, true)
    const { fire } = site
    if (!fire) throw invalid('fire', `the site ${id} has no fire input`)
    if (!fire.since) return site
    if (!fire.cleared_at)
      throw invalid(
        'fire',
        'the contact of the fire alarm has not cleared yet; reset the alarm in the building first',
      )
    return resetFire(inner, site, fire)
  })
}
