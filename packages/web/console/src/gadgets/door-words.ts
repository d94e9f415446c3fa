import type { ItemOf } from '../data/collections.ts'
import { t } from '../language/t.ts'

type Gadget = ItemOf<'gadgets'>
type Named = { readonly id: string; readonly name: string }

export const egressWords = {
  mechanical: t('By hand: a handle or panic bar always opens it'),
  electric: t('Only by a signal: the controller releases it'),
} as const

export const lockWords = {
  fail_secure: t('Stays locked without power'),
  fail_safe: t('Unlocks without power'),
} as const

export const stopWords = { secure: t('Locks it'), keep: t('Leaves it unlocked') } as const

/** What the door does, one fact a line. Empty if it is no door. */
export function doorFacts({ door, actions, states, signals }: Gadget): [string, string][] {
  if (!door) return []
  const { hold_action_id, secure_action_id, exit_signal_id, open_state_id, closed_state_id } = door
  const held = door.held_open_seconds ?? null
  const facts: [string, string | false][] = [
    [
      t('Opening'),
      t(
        `${nameIn(actions, door.release_action_id)}, expected to open within ${seconds(door.release_seconds ?? 5)}`,
      ),
    ],
    [
      t('Keeping it unlocked'),
      hold_action_id
        ? t(`${nameIn(actions, hold_action_id)}, until ${nameIn(actions, secure_action_id)}`)
        : t('Not possible'),
    ],
    [t('Leaving'), egressWords[door.egress ?? 'mechanical']],
    [t('Request to exit'), exit_signal_id ? nameIn(signals, exit_signal_id) : '–'],
    [t('Exit actions'), door.exit_action_ids?.map(id => nameIn(actions, id)).join(', ') || '–'],
    [
      t('Door contact'),
      open_state_id ? `${nameIn(states, open_state_id)}, ${nameIn(states, closed_state_id)}` : t('None'),
    ],
    [t('May stand open'), held === null ? t('Any time') : t(`For ${seconds(held)}`)],
    [t('Tamper signal'), door.tamper_signal_id ? nameIn(signals, door.tamper_signal_id) : '–'],
    [t('Lock'), lockWords[door.lock_type ?? 'fail_secure']],
    [t('When the controller stops'), hold_action_id ? stopWords[door.on_stop ?? 'secure'] : false],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== false)
}

function nameIn(parts: readonly Named[], id: string | null | undefined): string {
  return parts.find(part => part.id === id)?.name ?? id ?? '–'
}

function seconds(count: number): string {
  if (count % 3600 === 0) return count === 3600 ? t('1 hour') : t(`${count / 3600} hours`)
  if (count % 60 === 0) return count === 60 ? t('1 minute') : t(`${count / 60} minutes`)
  return count === 1 ? t('1 second') : t(`${count} seconds`)
}
