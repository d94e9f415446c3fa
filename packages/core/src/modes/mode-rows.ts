/** What the engine reads of everything that sets the mode of a door, under the names of the wire. */
export interface Door {
  /** Unlocks for a moment: what credentials do. */
  release_action_id: string
  /** Keeps unlocked, and locks again. A door without both cannot be held open. */
  hold_action_id?: string | null
  secure_action_id?: string | null
  /** Actions that let people out. No mode ever denies them. */
  exit_action_ids?: readonly string[] | null
  /** Electric: people cannot leave without the controller. */
  egress?: 'mechanical' | 'electric' | null
}

/** The fire input of a site. */
export interface SiteFire {
  release_gadget_ids?: readonly string[] | null
  /** Since when the input holds. It is kept until somebody resets it; null while there is no fire. */
  since?: string | null
}

export interface FirstPerson {
  member_group_ids: readonly string[]
  early_seconds: number
  /** What the door is until somebody of the groups has come; `closed` is for others than them. */
  before: 'controlled' | 'closed'
}

export interface UnlockRuleRow {
  id: string
  gadget_ids: readonly string[]
  schedule_id: string
  first_person?: FirstPerson | null
  last_person_signal?: { gadget_id: string; signal_id: string } | null
  is_enabled: boolean
  is_deleted: boolean
  /** When somebody of the groups came, as far as it still matters, see `isArrival`. */
  arrivals?: readonly string[] | null
  /** When the last person left, by the signal of the rule. */
  departures?: readonly string[] | null
}

export const overrideLengths = ['until_turn', 'until', 'indefinitely'] as const

/** At most one for each gadget, whose id it has. */
export interface OverrideRow {
  id: string
  mode: 'unlocked' | 'controlled'
  lasts: (typeof overrideLengths)[number]
  until?: string | null
  set_at: string
  is_deleted: boolean
}

/** Which doors an emergency concerns, whenever they were added. */
export interface EmergencyTargets {
  site_ids?: readonly string[] | null
  gadget_ids?: readonly string[] | null
  tag_ids?: readonly string[] | null
  excluded_gadget_ids?: readonly string[] | null
}

export interface EmergencyRow {
  id: string
  type: 'lockdown' | 'evacuation'
  targets: EmergencyTargets
  exempt_member_group_ids?: readonly string[] | null
  unlocked_gadget_ids?: readonly string[] | null
  started_at: string
  ends_at?: string | null
  ended_at?: string | null
  is_drill?: boolean | null
  /** On a controller: the end of the lease, unless it is renewed. */
  held_until?: string | null
  is_deleted?: boolean
}
