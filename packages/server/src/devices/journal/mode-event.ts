import type { EventObject, EventSubject, JournalEvents } from '@gatehouse-access/api'
import type { DoorReferences } from './door-references.ts'

/** Tells that a door has another mode: who caused it, and by what. Nobody causes what a schedule does. */
export function tellMode(
  { emergencies, overrides, unlock_rules }: DoorReferences,
  event: JournalEvents['mode'],
  place: EventObject,
): { subject: EventSubject; object: EventObject } {
  const { cause, emergency_ids = [], gadget_id, mode, outcome, source, unlock_rule_id } = event
  const known = emergency_ids.flatMap(id => emergencies.get(id) ?? [])
  const reason = outcome === 'failed' ? (cause ?? 'hardware_failed') : cause
  const causer = source === 'override' ? overrides.get(gadget_id) : known[0]?.subject
  return {
    subject: causer ?? {},
    object: {
      ...place,
      mode,
      source,
      ...(unlock_rule_id && unlock_rules.has(unlock_rule_id) && { unlock_rule_id }),
      ...(known.length > 0 && { emergency_ids: known.map(({ id }) => id) }),
      ...(known.some(({ is_drill }) => is_drill) && { is_drill: true }),
      ...(reason && { reason }),
    },
  }
}
