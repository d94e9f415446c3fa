import type { JournalEvent, JournalEvents } from '@gatehouse/api'
import { type AccessMethod, reasons } from '@gatehouse/core'
import type { References } from './references.ts'

/** Of somebody the device does not know, so without a credential. */
const anonymous: ReadonlySet<string> = new Set([
  'unknown_credential',
  'keypad_paused',
  'pass_invalid',
  'pass_expired',
])
/** Of a member that the device knows: what the engine says, but for where a phone is, and what a device says beside. */
const personal: ReadonlySet<string> = new Set([
  ...reasons.filter(reason => reason !== 'unknown_credential' && reason !== 'not_present'),
  'clock_unsure',
  'hardware_failed',
  'unreachable',
])

/**
 * Whether a device may tell of this. Its gadgets and its input rules may have changed while it was offline, so for what
 * happened at its inputs any gadget of its site will do; about anything else a stolen controller must not write.
 */
export function isAcceptable(references: References, event: JournalEvent): boolean {
  const { device, gadgets, triggers } = references
  switch (event.type) {
    case 'lost':
      return true
    case 'state':
    case 'signal':
      return gadgets.get(event.gadget_id)?.device_id === device.id
    case 'trigger':
      return isAtHand(references, event) && triggers.has(event.gadget_trigger_id)
    case 'use':
      return isAtHand(references, event) && isByMethod(references, event) && isOfMember(references, event)
    case 'denial':
      return isDeniable(references, event)
  }
}

/** A gadget that the device can reach, and an action that it has. */
function isAtHand({ device, gadgets }: References, at: { gadget_id: string; action_id: string }): boolean {
  const gadget = gadgets.get(at.gadget_id)
  if (!gadget?.actions.some(({ id }) => id === at.action_id)) return false
  return (
    gadget.device_id === device.id || gadget.site_id === device.site_id || device.destinations.has(gadget.id)
  )
}

type Entry = JournalEvents['use' | 'denial']

/** A method that the hardware has, with a credential of its kind. */
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

function isOfMember({ members, holders }: References, { member_id, credential_id }: Entry): boolean {
  if (!member_id || !members.has(member_id)) return false
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
  if (anonymous.has(reason)) return !credential_id && (!member_id || isOfMember(references, event))
  if (!personal.has(reason) || !isOfMember(references, event)) return false
  return !credential_id || references.concerned.has(member_id ?? '')
}
