import { type Kind, type Resource, storedDefaults } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'
import { newId } from '../../store/ids.ts'
import { insertObject } from '../../store/write.ts'
import type { Work } from './context.ts'
import { takeRoom } from './room.ts'

/** Every column of a new object: what was given, and the defaults of the rest. */
export function newValues(work: Work, resource: Resource, given: Row): Row {
  return {
    ...storedDefaults(resource),
    id: newId(resource.kind as Kind, work.now),
    organization_id: work.caller.organization_id,
    created_at: work.now,
    ...given,
  }
}

/** Stores an object that a service makes itself, from values it vouches for. */
export async function insertNew(work: Work, resource: Resource, given: Row): Promise<Row> {
  await takeRoom(work, resource, given)
  return insertObject(work, resource, newValues(work, resource, given))
}
