import type { InputRule } from './input-rules.ts'

/**
 * Interprets keys and cards at a device: a code of the input rules, followed by the digits of a PIN and `#`.
 * The entry resets after 10 s without a key. Without input rules, the target is the first action of the first
 * gadget.
 *
 * The only state between keys is what was typed since the entry started. Compared with the rules, it is one
 * of: a prefix of a code; a code (or none, with the default rule) and digits; or an unknown code, which is
 * read up to its `#` and then reported once. A `*` that is not part of a code clears the entry.
 */
export interface KeypadState {
  keys: string
  /** The time of the last key, in microseconds. */
  last_key_at: number
}

export interface KeypadTarget {
  gadget_id: string
  action_id: string
}

export interface KeypadSetup {
  input_rules: readonly InputRule[]
  /** The first action of the device's first gadget; null when there is none. */
  first_action: KeypadTarget | null
}

export type KeypadOutcome =
  | { type: 'pin'; pin: string; target: KeypadTarget }
  | { type: 'card'; target: KeypadTarget }
  /** No matching code and no default rule: the attempt is denied with `unknown_credential`. */
  | { type: 'unknown' }

export interface KeypadStep {
  state: KeypadState
  outcome: KeypadOutcome | null
}

export const idleKeypad: KeypadState = { keys: '', last_key_at: 0 }
/** Microseconds without a key after which the entry is discarded. */
export const keypadTimeout = 10_000_000

/** Longer than any PIN or sensible code. Keys beyond this limit cannot match and are dropped. */
const maxKeys = 128

/** Processes one key: `0` to `9`, `*` or `#`. */
export function pressKey(setup: KeypadSetup, state: KeypadState, key: string, at: number): KeypadStep {
  const { keys, outcome } = readKey(rulesOf(setup), freshKeys(state, at), key)
  return { state: { keys, last_key_at: at }, outcome }
}

/** Processes several keys at one time. Returns their outcomes in order. */
export function pressKeys(setup: KeypadSetup, start: KeypadState, keys: string, at: number) {
  const outcomes: KeypadOutcome[] = []
  let state = start
  for (const key of keys) {
    const step = pressKey(setup, state, key, at)
    if (step.outcome) outcomes.push(step.outcome)
    state = step.state
  }
  return { state, outcomes }
}

/** A card applies to the rule whose code was typed, or to the default rule when nothing was typed. */
export function tapCard(setup: KeypadSetup, state: KeypadState, at: number): KeypadStep {
  const { rule } = readEntry(rulesOf(setup), freshKeys(state, at))
  const outcome: KeypadOutcome = rule ? { type: 'card', target: targetOf(rule) } : { type: 'unknown' }
  return { state: { keys: '', last_key_at: at }, outcome }
}

/** When the clock was set back, the time between two keys is unknown, so the entry is discarded. */
function freshKeys(state: KeypadState, at: number): string {
  const elapsed = at - state.last_key_at
  return elapsed >= 0 && elapsed < keypadTimeout ? state.keys : ''
}

function rulesOf({ first_action, input_rules }: KeypadSetup): readonly InputRule[] {
  if (input_rules.length > 0) return input_rules
  return first_action ? [{ code: '', ...first_action }] : []
}

function readKey(
  rules: readonly InputRule[],
  before: string,
  key: string,
): Omit<KeypadStep, 'state'> & { keys: string } {
  const keys = before + key
  if (beginsCode(rules, keys)) return { keys, outcome: null }
  if (key === '*') return { keys: beginsCode(rules, key) ? key : '', outcome: null }
  if (key === '#') return { keys: '', outcome: endEntry(rules, before) }
  return { keys: before.length < maxKeys ? keys : before, outcome: null }
}

/** True for a whole code too. PIN digits never match, because no code is a prefix of another. */
function beginsCode(rules: readonly InputRule[], keys: string): boolean {
  return rules.some(({ code }) => code.startsWith(keys))
}

function endEntry(rules: readonly InputRule[], keys: string): KeypadOutcome | null {
  const { rule, pin } = readEntry(rules, keys)
  if (rule && pin !== '') return { type: 'pin', pin, target: targetOf(rule) }
  return rule || keys === '' ? null : { type: 'unknown' }
}

/** Returns the selected rule and the digits that follow its code. */
function readEntry(rules: readonly InputRule[], keys: string): { rule: InputRule | undefined; pin: string } {
  const chosen = rules.find(({ code }) => code !== '' && keys.startsWith(code))
  if (chosen) return { rule: chosen, pin: keys.slice(chosen.code.length) }
  return { rule: isDigits(keys) ? rules.find(({ code }) => code === '') : undefined, pin: keys }
}

function isDigits(keys: string): boolean {
  return /^[0-9]*$/.test(keys)
}

function targetOf({ gadget_id, action_id }: InputRule): KeypadTarget {
  return { gadget_id, action_id }
}
