/**
 * The modes of a door and who decides among them, as data: the engine walks `precedence` in this order, the
 * tables of docs/door-modes.md are written from it, and the tests compare every combination with it.
 */
export const doorModes = {
  controlled: {
    is_held_open: false,
    physical: 'secured; credentials release it for a moment',
    credentials: 'permissions decide',
  },
  unlocked: {
    is_held_open: true,
    physical: 'held open',
    credentials: 'every known member passes and is recorded; unknown credentials are denied and counted',
  },
  lockdown: {
    is_held_open: false,
    physical: 'secured',
    credentials:
      'permissions decide, and the member is in a group that is exempt from every lockdown of the door',
  },
  evacuation: {
    is_held_open: true,
    physical: 'held open',
    credentials: 'as `unlocked`',
  },
} as const

export type Mode = keyof typeof doorModes

export const modeSources = ['default', 'unlock_rule', 'override', 'emergency', 'fire'] as const
export type ModeSource = (typeof modeSources)[number]

/** Strongest first. The first level that says something about a door decides its mode. */
export const precedence = [
  {
    level: 'fire',
    source: 'fire',
    modes: ['evacuation'],
    title: 'Fire input of the site',
    where: 'doors whose egress is electric, and those in `release_gadget_ids`',
    set_by: 'a contact in the building, also without a network',
    ends: 'when the contact has cleared and somebody resets it; never by itself',
  },
  {
    level: 'evacuation',
    source: 'emergency',
    modes: ['evacuation'],
    title: 'Emergency of type `evacuation`',
    where: 'the doors of its plan',
    set_by: 'API, console, plan',
    ends: 'when it is ended, at its `ends_at`, or when its lease runs out',
  },
  {
    level: 'lockdown',
    source: 'emergency',
    modes: ['lockdown', 'unlocked'],
    title: 'Emergency of type `lockdown`',
    where: 'the doors of its plan; those in `unlocked_gadget_ids` are `unlocked`',
    set_by: 'API, console, plan, panic signal',
    ends: 'when it is ended, at its `ends_at`, or when its lease runs out',
  },
  {
    level: 'override',
    source: 'override',
    modes: ['unlocked', 'controlled'],
    title: 'Override of the door',
    where: 'the door itself',
    set_by: '`POST /gadgets/{id}/mode`',
    ends: 'at its `until`, at the next turn of the unlock rules of the door, or never',
  },
  {
    level: 'unlock_rule',
    source: 'unlock_rule',
    modes: ['unlocked'],
    title: 'Unlock rule',
    where: 'the doors of the rule',
    set_by: 'its schedule, and the first person in',
    ends: 'with the schedule, or when the last person has left',
  },
  {
    level: 'default',
    source: 'default',
    modes: ['controlled'],
    title: 'Nothing of the above',
    where: 'every door',
    set_by: '–',
    ends: '–',
  },
] as const satisfies readonly Level[]

interface Level {
  level: string
  source: ModeSource
  modes: readonly Mode[]
  title: string
  where: string
  set_by: string
  ends: string
}

export type PrecedenceLevel = (typeof precedence)[number]['level']

export function isHeldOpen(mode: Mode): boolean {
  return doorModes[mode].is_held_open
}
