import { capabilitiesOf, type JournalEvent, valueAt } from '@gatehouse/api'
import type { Database } from '../../database/db.ts'
import { findEverKnown } from '../policy/known-groups.ts'

interface KnownDevice {
  readonly id: string
  readonly site_id: string
  readonly product_id: string
  readonly created_at: string
  readonly input_rules: readonly { readonly gadget_id: string }[]
}

export interface KnownGadget {
  readonly id: string
  readonly device_id: string
  readonly site_id: string
  readonly actions: readonly { readonly id: string }[]
  readonly states: readonly { readonly id: string }[]
}

/** What the organization has of what some events name, deleted or not. */
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
  /** Members whose credentials the device may have, or may have had. */
  readonly concerned: ReadonlySet<string>
  /** The member of each PIN and card. */
  readonly holders: ReadonlyMap<string, string>
  readonly triggers: ReadonlySet<string>
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** One read a kind, however many events there are. `isTrusted`: a device of the service itself. */
export async function findReferences(
  db: Database,
  organizationId: string,
  deviceId: string,
  events: readonly JournalEvent[],
  isTrusted = false,
): Promise<References> {
  const named = (name: string) => [...new Set(events.map(event => valueAt(event, name)).filter(isText))]
  const find = <R extends object>(table: string, columns: string, ids: readonly string[]): Promise<R[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db.query<R>(`SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND id = ANY($2::text[])`, [
          organizationId,
          ids,
        ])
  const credentials = named('credential_id')
  const ofKind = (prefix: string) => credentials.filter(id => id.startsWith(prefix))
  const memberIds = named('member_id')
  const [devices, gadgets, members, triggers, pins, cards, concerned] = await Promise.all([
    find<KnownDevice>('devices', 'id, site_id, product_id, created_at, input_rules', [deviceId]),
    find<KnownGadget>('gadgets', 'id, device_id, site_id, actions, states', named('gadget_id')),
    find<{ id: string }>('members', 'id', memberIds),
    find<{ id: string }>('gadget_triggers', 'id', named('gadget_trigger_id')),
    find<{ id: string; member_id: string }>('member_pins', 'id, member_id', ofKind('mp_')),
    find<{ id: string; member_id: string }>('member_cards', 'id, member_id', ofKind('mc_')),
    isTrusted || credentials.length === 0
      ? memberIds
      : findEverKnown(db, { organization_id: organizationId, device_id: deviceId }, memberIds),
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
    concerned: new Set(concerned),
    holders: new Map([...pins, ...cards].map(row => [row.id, row.member_id])),
    triggers: new Set(triggers.map(row => row.id)),
  }
}
