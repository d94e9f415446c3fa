import type { Database } from '../database/db.ts'
import type { Author, Condition } from './condition.ts'
import { findPlaces, type Place } from './places.ts'
import { delayOf, findRules, type Rule, rulesFor } from './rules.ts'

/** A condition, where it is, and the rules that take it up there. */
export interface Ruled {
  readonly condition: Condition
  readonly place: Place | undefined
  readonly rules: readonly Rule[]
  /** Seconds that it has to hold before it is an alarm. */
  readonly delay: number
}

/** Finds what the rules say of conditions as they are now, in two statements for any number of them. */
export async function findRuled(
  db: Database,
  { caller, now }: Author,
  conditions: readonly Condition[],
): Promise<Ruled[]> {
  const { organization_id } = caller
  if (conditions.length === 0) return []
  const places = await findPlaces(db, organization_id, conditions, now)
  const types = conditions.map(({ type }) => type)
  const all = await findRules(db, organization_id, types, places.values())
  return conditions.map(condition => {
    const place = places.get(condition.condition_key)
    const rules = rulesFor(all, condition.type, place)
    return { condition, place, rules, delay: delayOf(rules, condition.type) }
  })
}
