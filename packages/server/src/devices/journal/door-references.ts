import type { EventSubject, JournalEvent } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import { allOf } from '../../flow/all-of.ts'
import type { GadgetSignal } from '../modes/mode-sources.ts'

interface KnownPlan {
  readonly id: string
  readonly control_gadget_id: string | null
  readonly trigger: GadgetSignal | null
}

interface KnownEmergency {
  readonly id: string
  readonly is_drill: boolean
  /** Who started it. */
  readonly subject: EventSubject | null
}

/** What events about modes of doors name. */
export interface DoorReferences {
  readonly plans: ReadonlyMap<string, KnownPlan>
  readonly emergencies: ReadonlyMap<string, KnownEmergency>
  /** Who set the override of a door, by gadget. */
  readonly overrides: ReadonlyMap<string, EventSubject>
  readonly unlock_rules: ReadonlySet<string>
  /** Sites whose fire contact is at the device. */
  readonly fires: ReadonlySet<string>
}

const none: DoorReferences = {
  plans: new Map(),
  emergencies: new Map(),
  overrides: new Map(),
  unlock_rules: new Set(),
  fires: new Set(),
}

/** Most batches are not about modes, and cost nothing here. */
export async function findDoorReferences(
  db: Database,
  organizationId: string,
  deviceId: string,
  events: readonly JournalEvent[],
): Promise<DoorReferences> {
  const modes = events.filter(event => event.type === 'mode')
  const started = events.filter(event => event.type === 'emergency')
  const fires = events.filter(event => event.type === 'fire')
  if (modes.length + started.length + fires.length === 0) return none
  const find = async <R>(
    ids: readonly (string | null | undefined)[],
    read: (ids: string[]) => Promise<R[]>,
  ) => {
    const named = [...new Set(ids.filter(id => id != null))]
    return named.length === 0 ? [] : read(named)
  }
  const [plans, emergencies, overrides, rules, sites] = await allOf([
    find(
      started.map(event => event.emergency_plan_id),
      ids =>
        db.query<KnownPlan & object>(
          'SELECT id, control_gadget_id, trigger FROM emergency_plans WHERE organization_id = $1 AND id = ANY($2::text[])',
          [organizationId, ids],
        ),
    ),
    find(
      modes.flatMap(event => event.emergency_ids ?? []),
      ids =>
        db.query<KnownEmergency & object>(
          `SELECT e.id, e.is_drill, (SELECT v.subject FROM events v WHERE v.organization_id = $1 AND v.object->>'emergency_id' = e.id
             AND v.verb = 'create' AND v.object->>'type' = 'emergency' LIMIT 1) AS subject
           FROM emergencies e WHERE e.organization_id = $1 AND e.id = ANY($2::text[])`,
          [organizationId, ids],
        ),
    ),
    find(
      modes.filter(({ source }) => source === 'override').map(event => event.gadget_id),
      ids =>
        db.query<{ id: string; set_by: EventSubject }>(
          'SELECT id, set_by FROM overrides WHERE organization_id = $1 AND id = ANY($2::text[])',
          [organizationId, ids],
        ),
    ),
    find(
      modes.map(event => event.unlock_rule_id),
      ids =>
        db.query<{ id: string }>(
          'SELECT id FROM unlock_rules WHERE organization_id = $1 AND id = ANY($2::text[])',
          [organizationId, ids],
        ),
    ),
    find(
      fires.map(event => event.site_id),
      ids =>
        db.query<{ id: string }>(
          `SELECT s.id FROM sites s JOIN gadgets g ON g.organization_id = s.organization_id AND g.id = s.fire->>'source_gadget_id'
           WHERE s.organization_id = $1 AND s.id = ANY($2::text[]) AND g.device_id = $3`,
          [organizationId, ids, deviceId],
        ),
    ),
  ])
  return {
    plans: new Map(plans.map(row => [row.id, row])),
    emergencies: new Map(emergencies.map(row => [row.id, row])),
    overrides: new Map(overrides.map(row => [row.id, row.set_by])),
    unlock_rules: new Set(rules.map(row => row.id)),
    fires: new Set(sites.map(row => row.id)),
  }
}
