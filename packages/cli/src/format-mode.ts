import type { ObjectOf, Resources } from '@gatehouse-access/api'

type DoorMode = NonNullable<ObjectOf<Resources['gadget']>['mode']>

/** Says a mode in the columns of a table: what, why, until when, and whether the door has reported it. */
export function formatMode(mode: DoorMode): string[] {
  const { effective, emergency_ids, is_confirmed, source, unlock_rule_id, until } = mode
  const cause = unlock_rule_id ?? (emergency_ids.join(' ') || '')
  const because = source === 'default' ? '' : `${source} ${cause}`.trim()
  return [effective, because, until ?? '', is_confirmed ? 'yes' : 'NO']
}
