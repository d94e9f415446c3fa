import { invalid, namedByDoor, type Resources, type StoredOf } from '@gatehouse-access/api'

type Gadget = Pick<StoredOf<Resources['gadget']>, 'door' | 'actions' | 'states' | 'signals'>

/**
 * Throws if `door` names an action, state or signal that the gadget does not have: because `door` is wrong, or
 * because an edit takes away what it names.
 */
export function checkDoor(after: Gadget, before: Gadget | undefined): void {
  if (!after.door) return
  const isNew = after.door !== before?.door
  for (const { field, list, id } of namedByDoor(after.door)) {
    const ids = after[list].map(entry => entry.id)
    if (ids.includes(id)) continue
    if (!isNew) throw invalid(list, `${list} ${id} cannot be removed while door.${field} names it`)
    throw invalid(
      `door.${field}`,
      `door.${field}: the gadget has no ${list.slice(0, -1)} '${id}'; it has: ${ids.join(', ') || 'none'}`,
    )
  }
}
