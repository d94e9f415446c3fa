import type { JournalEvent } from '@gatehouse/api'
import type { Database } from '../../store/db.ts'

export interface KnownGadget {
  readonly id: string
  readonly device_id: string
  readonly site_id: string
  readonly states: readonly { readonly id: string }[]
}

/** What the organization has of what some events name, deleted or not. */
export interface References {
  readonly device: {
    readonly id: string
    readonly site_id: string
    readonly destinations: ReadonlySet<string>
  }
  readonly gadgets: ReadonlyMap<string, KnownGadget>
  readonly members: ReadonlySet<string>
  /** The member of each PIN and card. */
  readonly holders: ReadonlyMap<string, string>
  readonly triggers: ReadonlySet<string>
}

/** One read a kind, however many events there are. */
export async function findReferences(
  db: Database,
  organizationId: string,
  deviceId: string,
  events: readonly JournalEvent[],
): Promise<References> {
  const named = (name: string) =>
    [...new Set(events.flatMap(event => (event as Record<string, unknown>)[name] ?? []))] as string[]
  const find = <R extends object>(table: string, columns: string, ids: readonly string[]): Promise<R[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : db.query<R>(`SELECT ${columns} FROM ${table} WHERE organization_id = $1 AND id = ANY($2::text[])`, [
          organizationId,
          ids,
        ])
  const credentials = named('credential_id')
  const ofKind = (prefix: string) => credentials.filter(id => id.startsWith(prefix))
  const [devices, gadgets, members, triggers, pins, cards] = await Promise.all([
    find<{ id: string; site_id: string; input_rules: { gadget_id: string }[] }>(
      'devices',
      'id, site_id, input_rules',
      [deviceId],
    ),
    find<KnownGadget>('gadgets', 'id, device_id, site_id, states', named('gadget_id')),
    find<{ id: string }>('members', 'id', named('member_id')),
    find<{ id: string }>('gadget_triggers', 'id', named('gadget_trigger_id')),
    find<{ id: string; member_id: string }>('member_pins', 'id, member_id', ofKind('mp_')),
    find<{ id: string; member_id: string }>('member_cards', 'id, member_id', ofKind('mc_')),
  ])
  const [device] = devices
  return {
    device: {
      id: deviceId,
      site_id: device?.site_id ?? '',
      destinations: new Set(device?.input_rules.map(rule => rule.gadget_id)),
    },
    gadgets: new Map(gadgets.map(row => [row.id, row])),
    members: new Set(members.map(row => row.id)),
    holders: new Map([...pins, ...cards].map(row => [row.id, row.member_id])),
    triggers: new Set(triggers.map(row => row.id)),
  }
}

/**
 * Whether a device may tell of this. Its gadgets and its input rules may have changed while it was offline, so for what
 * happened at its inputs any gadget of its site will do; about anything else a stolen controller must not write.
 */
export function isAcceptable(references: References, event: JournalEvent): boolean {
  const { device, gadgets, members, holders, triggers } = references
  if (event.type === 'lost') return true
  const gadget = event.gadget_id ? gadgets.get(event.gadget_id) : undefined
  if (event.type === 'state' || event.type === 'signal') return gadget?.device_id === device.id
  if (event.gadget_id && !gadget) return false
  if (
    gadget &&
    gadget.device_id !== device.id &&
    gadget.site_id !== device.site_id &&
    !device.destinations.has(gadget.id)
  )
    return false
  if (event.type === 'trigger') return triggers.has(event.gadget_trigger_id)
  if (event.member_id && !members.has(event.member_id)) return false
  if (event.credential_id && holders.get(event.credential_id) !== event.member_id) return false
  return event.type === 'denial' || Boolean(event.member_id)
}
