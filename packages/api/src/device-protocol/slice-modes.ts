import { overrideLengths } from '@gatehouse-access/core'
import { list, optional, required, shape } from '../kit/compounds.ts'
import { choice, flag, integer, localId, reference, text, timestamp } from '../kit/scalars.ts'

/**
 * What sets the modes of doors, as slices contain it. Lists of gadgets have only doors of the gateway: those of
 * the devices that a controller drives, and those elsewhere that it decides about. Devices with the capability
 * `door_modes` get these rows.
 */
const few = { max: 10_000 }
const is_deleted = optional(flag, 'Defaults to false. The service sends only rows that are not deleted.')

export const unlockRuleId = text(64, {
  pattern: /^ur_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of an unlock rule',
})
export const emergencyPlanId = text(64, {
  pattern: /^ep_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of an emergency plan',
})
export const emergencyId = text(64, {
  pattern: /^em_[0-9a-hjkmnp-tv-z]{20}$/,
  expected: 'the id of an emergency',
})

const doors = list(reference('gadget'), few)
const groups = list(reference('member_group'), few)
const instants = list(timestamp, { max: 1000 })
const signal = shape({
  gadget_id: required(reference('gadget'), 'The gadget.'),
  signal_id: required(localId, 'Its signal.'),
})
const emergencyType = choice('lockdown', 'evacuation')

const firstPerson = shape({
  member_group_ids: required(groups, 'Somebody of these groups has to come.'),
  early_seconds: required(integer(0, 14_400), 'How long before the start of a period one may come.'),
  before: required(
    choice('controlled', 'closed'),
    'What the doors are until then. `closed`: only these groups pass.',
  ),
})

export const unlockRuleParts = {
  id: required(unlockRuleId, 'The unlock rule.'),
  gadget_ids: required(doors, 'The doors of the gateway that it unlocks.'),
  schedule_id: required(reference('schedule'), 'When it unlocks them.'),
  first_person: optional(firstPerson, 'Absent: it unlocks by the clock.'),
  last_person_signal: optional(signal, 'Ends the present period.'),
  arrivals: optional(instants, 'When somebody of the groups came, as far as it still matters.'),
  departures: optional(instants, 'When the last person left, as far as it still matters.'),
  is_enabled: required(flag, 'The service sends only rules that are enabled.'),
  is_deleted,
}

export const overrideParts = {
  id: required(reference('gadget'), 'The door that it overrides.'),
  mode: required(choice('unlocked', 'controlled'), 'Its mode meanwhile.'),
  lasts: required(
    choice(...overrideLengths),
    'How long: until the next turn of the unlock rules of the door, until `until`, or until it is removed.',
  ),
  until: optional(timestamp, 'With `lasts: until`.'),
  set_at: required(timestamp, 'When it was set.'),
  is_deleted,
}

export const emergencyParts = {
  id: required(emergencyId, 'The emergency.'),
  plan_id: optional(
    emergencyPlanId,
    'The plan that it was started from. A local emergency of this plan is over once this row has arrived.',
  ),
  type: required(emergencyType, 'What it does.'),
  targets: required(
    shape({ gadget_ids: required(doors, 'The doors of the gateway that it concerns.') }),
    'Where it holds.',
  ),
  exempt_member_group_ids: optional(groups, 'Groups that a lockdown does not keep out.'),
  unlocked_gadget_ids: optional(doors, 'Doors that a lockdown holds open.'),
  started_at: required(timestamp, 'When it was started.'),
  ends_at: optional(timestamp, 'When it ends by itself.'),
  held_until: optional(
    timestamp,
    'The end of the lease: without a renewal it is over then. The service renews it every hour. Absent: it holds until it is removed.',
  ),
  is_drill: optional(flag, 'A drill does everything that an emergency does.'),
  is_deleted,
}

export const emergencyPlanParts = {
  id: required(emergencyPlanId, 'The plan.'),
  type: required(emergencyType, 'What it does.'),
  gadget_ids: required(doors, 'The doors of the gateway that it concerns.'),
  exempt_member_group_ids: optional(groups, 'As in emergencies.'),
  unlocked_gadget_ids: optional(doors, 'As in emergencies.'),
  offline_hold_seconds: optional(
    integer(1, 604_800),
    'How long a controller that started it holds it without the service. Absent: until it is told otherwise.',
  ),
  ends_after_seconds: optional(integer(1, 604_800), 'It ends by itself after this long.'),
  control_gadget_id: optional(
    reference('gadget'),
    'Whose actions `start` and `end` start and end it, for members with permission.',
  ),
  trigger: optional(signal, 'A panic button that starts it.'),
  is_deleted,
}

/** The fire input of a site, as rows of sites contain it. */
export const firePart = optional(
  shape({
    source_gadget_id: required(reference('gadget'), 'The gadget with the contact.'),
    source_state_id: required(localId, 'Its state while there is a fire.'),
    release_gadget_ids: required(
      doors,
      'Doors of the gateway that a fire releases, in addition to those whose egress is electric.',
    ),
    since: optional(timestamp, 'Since when there is a fire. Absent: there is none.'),
    reset_at: optional(
      timestamp,
      'When somebody reset it last. What a controller remembers from before is over.',
    ),
  }),
  'Its fire input. Only for devices with the capability `door_modes`.',
)
