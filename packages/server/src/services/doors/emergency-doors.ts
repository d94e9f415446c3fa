import { type EmergencyDoor, findEmergencyDoors } from '../../doors/door-states.ts'
import { present } from '../../flow/present.ts'
import { openCursor, sealCursor } from '../../store/cursor.ts'
import type { Page } from '../../store/list.ts'
import type { InputOf } from '../objects/action.ts'
import { getObject } from '../objects/objects.ts'

/** `GET /emergencies/{id}/doors` */
export async function listEmergencyDoors({
  work,
  target,
  id,
  query,
}: InputOf<'emergency', 'doors'>): Promise<Page<EmergencyDoor>> {
  await getObject(work, target, id)
  const { cursor, limit = 20, state } = query
  const bound = ['doors', id, state]
  const after = cursor === undefined ? '' : String(openCursor(bound, cursor)[0])
  const { organization_id } = work.caller
  const found = await findEmergencyDoors(work.db, {
    organization_id,
    emergency_id: id,
    now: work.now,
    after,
    state,
    limit: limit + 1,
  })
  const data = found.slice(0, limit)
  if (found.length <= limit) return { data, has_next: false }
  const last = present(data.at(-1), 'a door')
  return { data, has_next: true, cursor_next: sealCursor(bound, [last.gadget_id]) }
}
