import { capabilitiesOf, type JournalEvent, valueAt } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { ZoneData } from '../../zones/zone-data.ts'
import { findEverKnown } from '../policy/known-groups.ts'
import { type DoorReferences, findDoorReferences } from './door-references.ts'
import { findRulesThen, type RulesThen } from './rules-then.ts'

interface KnownDevice {
  readonly id: string
  readonly site_id: string
  readonly product_id: string
  readonly created_at: string
  readonly input_rules: readonly { readonly gadget_id: string }[]
}

interface KnownGadget {
  readonly id: string
  readonly device_id: string
  readonly site_id: string
  readonly actions: readonly { readonly id: string }[]
  readonly states: readonly { readonly id: string }[]
  readonly is_door: boolean
  readonly timezone: string | null
}

/** The objects that some events name, including deleted objects. */
export interface References {
  readonly device: {
    readonly id: string
    readonly site_id: string
    readonly created_at: string
    readonly takes_pins: boolean
    readonly takes_cards: boolean
    readonly destinations: ReadonlySet<string>
  }
  readonly gadgets: ReadonlyMap<string, KnownGadget>
  readonly members: ReadonlySet<string>
  /** Those of them who were erased: their events arrive without them. */
  readonly erased: ReadonlySet<string>
  /** Members whose credentials the device may hold or may have held. */
  readonly concerned: ReadonlySet<string>
  /** The member of each PIN and card. */
  readonly holders: ReadonlyMap<string, string>
  readonly triggers: ReadonlySet<string>
  readonly doors: DoorReferences
  readonly zones: ZoneOffsets
  readonly rulesThen: RulesThen
}

/** What is asked of the zone data: which local time it was where something happened. */
export type ZoneOffsets = Pick<ZoneData, 'offsetAt'>

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const areNamed = 'WHERE organization_id = $1 AND id = ANY($2::text[])'

/** Runs one query per kind, for any number of events. `isTrusted`: the device is virtual. */
export async function findReferences(
  { db, zones }: { readonly db: Database; readonly zones: ZoneOffsets },
  organizationId: string,
  deviceId: string,
  events: readonly JournalEvent[],
  isTrusted = false,
): Promise<References> {
  const named = (name: string) => [...new Set(events.map(event => valueAt(event, name)).filter(isText))]
  const among = async <R>(ids: readonly string[], find: (params: unknown[]) => Promise<R[]>): Promise<R[]> =>
    ids.length === 0 ? [] : find([organizationId, ids])
  const credentials = named('credential_id')
  const ofKind = (prefix: string) => credentials.filter(id => id.startsWith(prefix))
  const memberIds = named('member_id')
  const [devices, gadgets, members, triggers, pins, cards, concerned, doors, rulesThen] = await Promise.all([
    among([deviceId], params =>
      db.query<KnownDevice>(
        `SELECT id, site_id, product_id, created_at, input_rules FROM devices ${areNamed}`,
        params,
      ),
    ),
    among(named('gadget_id'), params =>
      db.query<KnownGadget>(
        `SELECT id, device_id, site_id, actions, states, door IS NOT NULL AS is_door,
           (SELECT timezone FROM sites s WHERE s.organization_id = $1 AND s.id = site_id) AS timezone FROM gadgets ${areNamed}`,
        params,
      ),
    ),
    among(memberIds, params =>
      db.query<{ id: string; is_erased: boolean }>(
        `SELECT id, erased_at IS NOT NULL AS is_erased FROM members ${areNamed}`,
        params,
      ),
    ),
    among(named('gadget_trigger_id'), params =>
      db.query<{ id: string }>(`SELECT id FROM gadget_triggers ${areNamed}`, params),
    ),
    among(ofKind('mp_'), params =>
      db.query<{ id: string; member_id: string }>(
        `SELECT id, member_id FROM member_pins ${areNamed}`,
        params,
      ),
    ),
    among(ofKind('mc_'), params =>
      db.query<{ id: string; member_id: string }>(
        `SELECT id, member_id FROM member_cards ${areNamed}`,
        params,
      ),
    ),
    isTrusted || credentials.length === 0
      ? memberIds
      : findEverKnown(db, { organization_id: organizationId, device_id: deviceId }, memberIds),
    findDoorReferences(db, organizationId, deviceId, events),
    findRulesThen(db, organizationId, deviceId, events),
  ])
  const [device] = devices
  const capabilities = capabilitiesOf(device?.product_id ?? '')
  return {
    device: {
      id: deviceId,
      site_id: device?.site_id ?? '',
      created_at: device?.created_at ?? '',
      takes_pins: capabilities.pin,
      takes_cards: capabilities.nfc,
      destinations: new Set(device?.input_rules.map(rule => rule.gadget_id)),
    },
    gadgets: new Map(gadgets.map(row => [row.id, row])),
    members: new Set(members.map(row => row.id)),
    erased: new Set(members.filter(row => row.is_erased).map(row => row.id)),
    concerned: new Set(concerned),
    holders: new Map([...pins, ...cards].map(row => [row.id, row.member_id])),
    triggers: new Set(triggers.map(row => row.id)),
    doors,
    zones,
    rulesThen,
  }
}
