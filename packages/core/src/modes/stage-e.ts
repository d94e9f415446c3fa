import { lasting, type ModeState, type Now, speaks } from './mode-state.ts'

/** A condition of stage E: beside permission, a member has to be in one of the groups. */
export interface Need {
  reason: 'supervisor_absent' | 'lockdown'
  groups: ReadonlySet<string>
}

/**
 * Returns what a door asks for beside permission, in the order in which it is checked: a lockdown only adds to
 * what a rule asks that waits for its first person, so nobody learns of it who could not have entered before.
 */
export function needsOf(now: Now, mode: ModeState): Need[] {
  if (mode.effective === 'lockdown') return [...waitingNeeds(now), lockdownNeed(now)]
  return mode.source === 'default' ? waitingNeeds(now) : []
}

/** Each rule that keeps the door closed has to be content. An override sets all of them aside. */
function waitingNeeds(now: Now): Need[] {
  if (speaks('override', now) || speaks('unlock_rule', now)) return []
  return now.rules
    .filter(({ state }) => state === 'waiting')
    .map(({ rule }) => ({
      reason: 'supervisor_absent',
      groups: new Set(rule.first_person?.member_group_ids),
    }))
}

/** Only a group that is exempt from every lockdown on the door opens it. */
function lockdownNeed({ at, sources }: Now): Need {
  const [first, ...others] = lasting(sources.lockdowns, at).filter(({ is_unlocking }) => !is_unlocking)
  const common = [...(first?.exempt ?? [])].filter(group => others.every(({ exempt }) => exempt.has(group)))
  return { reason: 'lockdown', groups: new Set(common) }
}
