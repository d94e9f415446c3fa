import type { Rule } from './groups.ts'
import { grow } from './id-column.ts'
import { nothing, type Target } from './targets.ts'

/**
 * Per group the rules in short, in 64 bytes, one line of a cache: two words a rule, its target and its conditions.
 * Most decisions need no more, and the cells of rules, each elsewhere in memory, are left alone.
 */
export type Cards = Uint32Array

export const cardLength = 16
/** Stands first on the card of a group with more rules than a card has room for. */
export const tooMany: Target = 2 ** 32 - 1

/** Conditions are the methods, one bit each, above them these, and above those the schedule's number + 1 if there is one. */
export const presenceBit = 32
/** There is more to the rule than has room here: the rule itself has to be asked. */
export const moreBit = 64
export const scheduleShift = 7
const mostSchedules = 2 ** (32 - scheduleShift) - 1

export function writeCard(cards: Cards, group: number, rules: readonly Rule[]): Cards {
  const written = cards.length < (group + 1) * cardLength ? grow(cards, (group + 1) * cardLength) : cards
  const words = rules.flatMap(rule => [rule.target, conditionsOf(rule)])
  const card = words.length > cardLength ? [tooMany] : words
  written.fill(nothing, group * cardLength, (group + 1) * cardLength).set(card, group * cardLength)
  return written
}

function conditionsOf(rule: Rule): number {
  if (!isPlain(rule)) return moreBit
  const schedule = rule.schedule === null ? 0 : rule.schedule.number + 1
  return rule.methods | (rule.needs_presence ? presenceBit : 0) | (schedule << scheduleShift)
}

function isPlain({ action_id, gadget, inherits, schedule, site }: Rule): boolean {
  const hasOneTarget = gadget === null || site === null
  return hasOneTarget && action_id === null && inherits === null && (schedule?.number ?? 0) < mostSchedules
}
