/**
 * What a controller may understand beyond version 1 of the protocol. `hello.capabilities` names what it does,
 * `welcome.capabilities` what the service accepts. A row that a controller without a capability would misread
 * is left out of its slice: it then denies too much, never too little.
 */
export const deviceCapabilities = {
  schedule_exceptions:
    '`special_days` and `exceptions` of schedules, `days` and `days_until` of sites. Without it, rules and triggers with such a schedule are not sent.',
  zone_tables: '`zones`: the offsets of time zones. Without it, the controller uses its own zone data.',
  doors: '`door` of gadgets: a request to exit releases an electric door, recorded as the event `exit`.',
  door_modes:
    '`unlock_rules`, `overrides`, `emergencies`, `emergency_plans`, `fire` of sites, the message `doors` and the events `mode`, `emergency` and `fire`. Without it, no door is held open, and in a lockdown only the rules of exempt groups are sent.',
  door_monitor:
    'the event `alarm`, and triggers whose source is an alarm of a door. Without it, such triggers are not sent.',
  decided_by: '`decided_by` of the events `use` and `denial`: the rules and times that decided.',
  suspensions:
    '`is_suspended` and `suspended_until` of members, their credentials and devices, and `suspended` of members. Without it, a suspended member or credential is not sent, and a device whose inputs are suspended gets no groups.',
  card_uids:
    '`card_uid` of the event `denial`: the UID of a card that the controller does not know, so that it can be given to a member.',
  trigger_denials: 'the event `trigger_denial`: a trigger did not run, because its door is locked down.',
} as const

export type DeviceCapability = keyof typeof deviceCapabilities

export const capabilityNames = Object.keys(deviceCapabilities) as DeviceCapability[]

/** Returns the capabilities that this version of the protocol knows. A newer controller may name others. */
export function knownCapabilities(
  named: readonly string[] | null | undefined,
): ReadonlySet<DeviceCapability> {
  return new Set(capabilityNames.filter(name => named?.includes(name)))
}
