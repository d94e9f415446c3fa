import { type ObjectOf, type Resources, resources } from '@gatehouse-access/api'
import { serviceCaller } from '../../store/caller.ts'
import { findObject } from '../../store/find.ts'
import { updateObject } from '../../store/write.ts'
import type { Context } from '../objects/context.ts'
import { notFound } from '../objects/objects.ts'

export type Feature = keyof ObjectOf<Resources['organization']>['features']

/** Turns a feature of an organization on or off. Returns false, without an event, if nothing changes. */
export async function setFeature(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  organization_id: string,
  feature: Feature,
  is_on: boolean,
): Promise<boolean> {
  const resource = resources.organization
  return db.transaction(async inner => {
    const before = await findObject(inner, resource, { organization_id }, organization_id, { lock: true })
    if (!before) throw notFound(resource)
    const { features } = before
    if (features[feature] === is_on) return false
    const write = { db: inner, caller: serviceCaller(organization_id), now: clock.now() }
    await updateObject(write, resource, before, { features: { ...features, [feature]: is_on } })
    return true
  })
}
