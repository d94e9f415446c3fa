import type { JournalEvent, JournalEvents } from '@gatehouse-access/api'
import type { AccessMethod, DenialReason } from '@gatehouse-access/core'
import type { References } from './references.ts'

/** The person denied: unknown to the device, a known member, or nobody that a device could report. */
const deniedPerson: Record<DenialReason, 'stranger' | 'member' | 'nobody'> = {
  unknown_credential: 'stranger',
  credential_deleted: 'member',
  gadget_deleted: 'member',
  member_deleted: 'member',
  member_not_started: 'member',
  member_ended: 'member',
  member_suspended: 'member',
  credential_suspended: 'member',
  device_suspended: 'member',
  no_association: 'member',
  association_not_started: 'member',
  association_ended: 'member',
  group_deleted: 'member',
  no_matching_rule: 'member',
  method_not_allowed: 'member',
  outside_schedule: 'member',
  // No device knows where a phone is.
  not_present: 'nobody',
  supervisor_absent: 'member',
  lockdown: 'member',
  clock_unsure: 'member',
  keypad_paused: 'stranger',
  pass_invalid: 'stranger',
  pass_expired: 'stranger',
  hardware_failed: 'member',
  unreachable: 'member',
}

/**
 * Returns whether the device may report this. Its gadgets and input rules may have changed while it was
 * offline, so events at its inputs may name any gadget of its site. A stolen controller must not write about
 * anything else.
 */
export function isAcceptable(references: References, event: JournalEvent): boolean {
  const { device, gadgets, triggers } = references
  switch (event.type) {
    case 'lost':
      return true
    case 'state':
    case 'signal':
      return gadgets.get(event.gadget_id)?.device_id === device.id
    case 'exit':
      return gadgets.get(event.gadget_id)?.device_id === device.id && isAtHand(references, event)
    case 'trigger':
    case 'trigger_denial':
      return isAtHand(references, event) && triggers.has(event.gadget_trigger_id)
    case 'use':
      return isAtHand(references, event) && isByMethod(references, event) && isOfMember(references, event)
    case 'denial':
      return isDeniable(references, event)
    case 'mode':
    case 'alarm':
      return isOwnDoor(references, event.gadget_id)
    case 'emergency':
      return isStartable(references, event)
    case 'fire':
      return references.doors.fires.has(event.site_id)
  }
}

/** The device can reach the gadget, and the gadget has the action. */
function isAtHand(references: References, at: { gadget_id: string; action_id: string }): boolean {
  const gadget = references.gadgets.get(at.gadget_id)
  return gadget?.actions.some(({ id }) => id === at.action_id) === true && isNear(references, gadget.id)
}

function isNear({ device, gadgets }: References, gadgetId: string): boolean {
  const gadget = gadgets.get(gadgetId)
  if (!gadget) return false
  return (
    gadget.device_id === device.id || gadget.site_id === device.site_id || device.destinations.has(gadget.id)
  )
}

function isOwnDoor({ device, gadgets }: References, gadgetId: string): boolean {
  const gadget = gadgets.get(gadgetId)
  return gadget?.is_door === true && gadget.device_id === device.id
}

/** A device starts a plan by its panic button, and starts or ends it for a member at its control gadget. */
function isStartable(references: References, event: JournalEvents['emergency']): boolean {
  const { action, emergency_plan_id, gadget_id, member_id, signal_id } = event
  const plan = references.doors.plans.get(emergency_plan_id)
  if (!plan || !gadget_id || !isNear(references, gadget_id)) return false
  const { control_gadget_id, trigger } = plan
  if (signal_id)
    return action === 'start' && trigger?.gadget_id === gadget_id && trigger.signal_id === signal_id
  return control_gadget_id === gadget_id && references.members.has(member_id ?? '')
}

type Entry = JournalEvents['use' | 'denial']

/** The hardware supports the method, and the credential matches it. */
function isByMethod({ device }: References, { access_method, credential_id }: Entry): boolean {
  const kinds: Record<AccessMethod, boolean> = {
    pin: device.takes_pins && !credential_id?.startsWith('mc_'),
    card: device.takes_cards && !credential_id?.startsWith('mp_'),
    mobile_nfc: device.takes_cards && !credential_id,
    bluetooth: !credential_id,
    online: false,
  }
  return kinds[access_method]
}

/** Of a member who was erased, credentials are not known any more. */
function isOfMember({ members, erased, holders }: References, { member_id, credential_id }: Entry): boolean {
  if (!member_id || !members.has(member_id)) return false
  if (erased.has(member_id)) return true
  return !credential_id || holders.get(credential_id) === member_id
}

function isDeniable(references: References, event: JournalEvents['denial']): boolean {
  const { gadget_id, action_id, member_id, credential_id, reason } = event
  if (
    (gadget_id || action_id) &&
    !isAtHand(references, { gadget_id: gadget_id ?? '', action_id: action_id ?? '' })
  )
    return false
  if (!isByMethod(references, event)) return false
  const person = Object.hasOwn(deniedPerson, reason) ? deniedPerson[reason as DenialReason] : 'nobody'
  if (person === 'stranger') return !credential_id && (!member_id || isOfMember(references, event))
  if (person === 'nobody' || !isOfMember(references, event)) return false
  if (references.erased.has(member_id ?? '')) return true
  return !credential_id || references.concerned.has(member_id ?? '')
}
