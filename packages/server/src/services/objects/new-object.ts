import {
  type AnyChanges,
  type AnyObject,
  type ChangesOf,
  type Kind,
  type Resource,
  type StoredOf,
  storedDefaults,
} from '@gatehouse-access/api'
import { newId } from '../../store/ids.ts'
import { insertObject } from '../../store/write.ts'
import type { Work } from './context.ts'
import { takeRoom } from './room.ts'

/** Returns every column of a new object: the given values, and defaults for the rest. */
export function newValues(work: Work, resource: Resource, given: AnyChanges): AnyObject {
  return {
    ...storedDefaults(resource),
    id: newId(resource.kind as Kind, work.now),
    organization_id: work.caller.organization_id,
    created_at: work.now,
    ...(resource.kind === 'member' && work.caller.bounds && { desk_site_ids: work.caller.bounds.site_ids }),
    ...given,
  }
}

/** Stores an object that a service creates itself, from trusted values. */
export async function insertNew<R extends Resource>(
  work: Work,
  resource: R,
  given: ChangesOf<R>,
): Promise<StoredOf<R>>
export async function insertNew(work: Work, resource: Resource, given: AnyChanges): Promise<AnyObject> {
  await takeRoom(work, resource, given)
  return insertObject(work, resource, newValues(work, resource, given))
}
