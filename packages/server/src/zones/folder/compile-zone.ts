import type { Step } from '../course.ts'
import type { Era, Rule, Until } from './source-lines.ts'
import { instantOf } from './source-words.ts'

/** Yields all changes of a zone up to the end of a year, with those before it whose offset holds at the start. */
export function* compileZone(
  eras: readonly Era[],
  rulesOf: (name: string) => readonly Rule[],
  lastYear: number,
): Generator<Step> {
  let start = -Infinity
  for (const era of eras) {
    const rules = era.rules === undefined ? [] : rulesOf(era.rules)
    const save: number = yield* stepsOfEra(era, turnsOf(era.standard, rules, lastYear), start)
    if (!era.until) return
    start = untilOf(era.until, era.standard, save)
  }
}

/** Yields the changes inside an era, the one that begins it included. Returns the saving at its end. */
function* stepsOfEra(era: Era, turns: Iterable<Turn>, start: number): Generator<Step, number> {
  let save = era.save
  let hasBegun = false
  for (const turn of turns) {
    if (era.until && turn.at >= untilOf(era.until, era.standard, save)) break
    // A turn before the era tells which saving it begins with.
    if (turn.at > start && !hasBegun) {
      hasBegun = true
      yield { at: start, offset: era.standard + save }
    }
    save = turn.save
    if (hasBegun) yield { at: turn.at, offset: era.standard + save }
  }
  if (!hasBegun) yield { at: start, offset: era.standard + save }
  return save
}

/** An instant at which a rule takes effect. */
interface Turn {
  readonly at: number
  readonly save: number
}

/** Yields the turns of all years in order. The clock that shows a rule's time is the one before the turn. */
function* turnsOf(standard: number, rules: readonly Rule[], lastYear: number): Generator<Turn> {
  let save = 0
  for (let year = Math.min(...rules.map(({ first }) => first)); year <= lastYear; year++)
    for (const { day, rule } of inOrder(rules, year)) {
      const at = instantOf(day, rule.time, standard, save)
      save = rule.save
      yield { at, save }
    }
}

function inOrder(rules: readonly Rule[], year: number): { day: number; rule: Rule }[] {
  return rules
    .filter(({ first, last }) => year >= first && year <= last)
    .map(rule => ({ day: rule.day(year, rule.month), rule }))
    .sort((a, b) => a.day - b.day || a.rule.time.seconds - b.rule.time.seconds)
}

function untilOf({ year, month, day, time }: Until, standard: number, save: number): number {
  return instantOf(day(year, month), time, standard, save)
}
