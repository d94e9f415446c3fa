import type { AlarmSeverity } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import { findCauses, findSuspicions } from './causes.ts'
import type { Author, Condition } from './condition.ts'
import type { Place } from './places.ts'
import type { Ruled } from './ruled.ts'
import { isWanted, severityOf } from './rules.ts'

/** What an alarm of a condition is, by the rules and by what else is going on. */
export interface Settled {
  readonly condition: Condition
  readonly place: Place | undefined
  readonly is_wanted: boolean
  readonly severity: AlarmSeverity
  readonly alarm_rule_ids: string[]
  readonly cause_alarm_id: string | null
}

/** `open` opens the alarms of causes that are not known yet: what they explain may be told first. */
export async function settle(
  db: Database,
  author: Author,
  ruled: readonly Ruled[],
  open: (causes: readonly Condition[]) => Promise<void>,
): Promise<Settled[]> {
  const { organization_id } = author.caller
  const suspicions = await findSuspicions(db, organization_id, ruled)
  const emergencies = suspicions.map(({ cause }) => cause).filter(isOfEmergency)
  if (emergencies.length > 0) await open(emergencies)
  const causes = await findCauses(db, organization_id, suspicions)
  return ruled.map(({ condition, place, rules }) => ({
    condition,
    place,
    is_wanted: isWanted(rules, condition.type),
    severity: severityOf(rules, condition),
    alarm_rule_ids: rules.map(({ id }) => id),
    cause_alarm_id: causes.get(condition.condition_key) ?? null,
  }))
}

function isOfEmergency({ type }: Condition): boolean {
  return type === 'emergency_started'
}
