import type { EventObject, EventSubject, JournalEvent, JournalEvents } from '@gatehouse-access/api'
import { reasons } from '@gatehouse-access/core'
import { unlinkEvent } from '../../audit/amendments/unlink.ts'
import type { EventDraft } from '../../store/event-log.ts'
import type { Marks } from '../../store/reports.ts'
import { isAcceptable } from './acceptable.ts'
import { tellMode } from './mode-event.ts'
import type { References } from './references.ts'

export interface Times {
  readonly created_at: string
  readonly clock_adjusted: boolean
}

type Told = Pick<EventDraft, 'subject' | 'verb' | 'object' | 'explanation' | 'is_unlinked'>

/**
 * Drafts a journal event. An event that the device may not report is recorded as refused, so that the journal
 * moves past it.
 */
export function tell(references: References, event: JournalEvent, at: string): Told | undefined {
  const told = draft(references, event, at)
  return told && isOfErased(references, event) ? unlinkEvent(told) : told
}

/** Whether somebody did it who was erased meanwhile. */
export function isOfErased({ erased }: References, event: JournalEvent): boolean {
  return 'member_id' in event && erased.has(event.member_id ?? '')
}

function draft(references: References, event: JournalEvent, at: string): Told | undefined {
  if (!isAcceptable(references, event)) return aboutDevice(references, 'event_refused')
  switch (event.type) {
    case 'use':
      return {
        subject: subjectOf(event),
        verb: 'use',
        object: { ...action(references, event, 'gadget_action'), ...decided(references, event, at) },
      }
    case 'trigger': {
      const object = action(references, event, 'gadget_action')
      return { subject: {}, verb: 'use', object: { ...object, gadget_trigger_id: event.gadget_trigger_id } }
    }
    case 'trigger_denial': {
      const { gadget_trigger_id } = event
      const object = action(references, event, 'access_denial')
      return { subject: {}, verb: 'create', object: { ...object, gadget_trigger_id, reason: 'lockdown' } }
    }
    case 'exit': {
      const object = action(references, event, 'gadget_action')
      return { subject: {}, verb: 'use', object: { ...object, gadget_signal_id: event.signal_id } }
    }
    case 'denial':
      return denial(references, event, at)
    case 'state':
      return {
        subject: {},
        verb: 'edit',
        object: { ...gadget(references, event.gadget_id, 'gadget_state'), gadget_state_id: event.state_id },
      }
    case 'signal':
      return {
        subject: {},
        verb: 'create',
        object: {
          ...gadget(references, event.gadget_id, 'gadget_signal'),
          gadget_signal_id: event.signal_id,
        },
      }
    case 'lost':
      return aboutDevice(references, 'events_lost')
    case 'mode': {
      const place = gadget(references, event.gadget_id, 'gadget_mode')
      return { verb: 'edit', ...tellMode(references.doors, event, place) }
    }
    // What follows from them is told by whoever does it.
    case 'emergency':
    case 'fire':
    case 'alarm':
      return undefined
  }
}

function aboutDevice({ device }: References, reason: string): Told {
  return {
    subject: {},
    verb: 'edit',
    object: { type: 'device', device_id: device.id, site_id: device.site_id, reason },
  }
}

function gadget({ gadgets, device }: References, id: string, type: EventObject['type']): EventObject {
  const known = gadgets.get(id)
  return {
    type,
    gadget_id: id,
    device_id: known?.device_id ?? device.id,
    site_id: known?.site_id ?? device.site_id,
  }
}

function action(
  references: References,
  { gadget_id, action_id }: { gadget_id: string; action_id: string },
  type: EventObject['type'],
): EventObject {
  return { ...gadget(references, gadget_id, type), gadget_action_id: action_id }
}

export function subjectOf({
  access_method,
  member_id,
  credential_id,
}: JournalEvents['use' | 'denial' | 'emergency']): EventSubject {
  const kind = credential_id?.startsWith('mp_') ? 'member_pin_id' : 'member_card_id'
  return {
    ...(access_method && { access_method }),
    ...(member_id && { member_id }),
    ...(credential_id && { [kind]: credential_id }),
  }
}

/** A controller that does not tell what decided decided at least at a time, in the zone of the site. */
function decided(
  { gadgets, rulesThen, zones }: References,
  event: JournalEvents['use' | 'denial'],
  at: string,
): Pick<EventObject, 'decided_by'> {
  if (event.decided_by) return { decided_by: event.decided_by }
  const timezone = gadgets.get(event.gadget_id ?? '')?.timezone
  if (!timezone) return {}
  const rules = event.type === 'denial' ? rulesThen(event, at) : undefined
  const utc_offset = zones.offsetAt(timezone, at)
  return { decided_by: { timezone, utc_offset, ...(rules && { rules }) } }
}

function denial(references: References, event: JournalEvents['denial'], at: string): Told {
  const { device } = references
  const place: EventObject = event.gadget_id
    ? gadget(references, event.gadget_id, 'access_denial')
    : { type: 'access_denial', device_id: device.id, site_id: device.site_id }
  const isOfEngine = (reasons as readonly string[]).includes(event.reason)
  return {
    subject: subjectOf(event),
    verb: 'create',
    object: {
      ...place,
      ...(event.action_id && { gadget_action_id: event.action_id }),
      reason: event.reason,
      ...decided(references, event, at),
    },
    ...(isOfEngine && {
      explanation: {
        allowed: false,
        reason: event.reason,
        rules: event.rules ?? [],
        next_allowed_at: event.next_allowed_at ?? null,
        ...(event.door && { door: event.door }),
      },
    }),
  }
}

/** New states and last uses of gadgets and credentials. */
export function marksOf(references: References, event: JournalEvent, at: string): Marks {
  if (!isAcceptable(references, event)) return { used: [], states: [] }
  if (event.type === 'state') {
    const isKnown = references.gadgets.get(event.gadget_id)?.states.some(({ id }) => id === event.state_id)
    return { used: [], states: isKnown ? [{ gadget_id: event.gadget_id, state_id: event.state_id }] : [] }
  }
  if (event.type !== 'use' && event.type !== 'trigger' && event.type !== 'exit')
    return { used: [], states: [] }
  const credential = event.type === 'use' ? event.credential_id : undefined
  const table = credential?.startsWith('mp_') ? 'member_pins' : 'member_cards'
  return {
    used: [
      { table: 'gadgets', id: event.gadget_id, at },
      ...(credential ? [{ table, id: credential, at } as const] : []),
    ],
    states: [],
  }
}
