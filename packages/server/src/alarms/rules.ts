import type { AlarmThresholds } from '@gatehouse-access/api'
import { type AlarmSeverity, type AlarmType, alarmSeverities, alarmTypes } from '@gatehouse-access/core'
import type { Database } from '../database/db.ts'
import type { Condition } from './condition.ts'
import type { Place } from './places.ts'

/** A rule as far as it says what is an alarm. */
export interface Rule {
  readonly id: string
  readonly types: readonly string[]
  readonly severity: AlarmSeverity | null
  readonly delay_seconds: number | null
  readonly thresholds: AlarmThresholds
  readonly is_everywhere: boolean
  /** Those of the places that were asked for that it names. */
  readonly ids: readonly string[]
}

/**
 * Returns the rules that take up alarms of these types. A rule may name thousands of places, so the database looks
 * for the few that matter.
 */
export function findRules(
  db: Database,
  organizationId: string,
  types: Iterable<AlarmType>,
  places: Iterable<Place>,
): Promise<Rule[]> {
  const ids = new Set<string>()
  for (const place of places) for (const id of place.ids) ids.add(id)
  return db.query<Rule>(
    `SELECT r.id, r.types, r.severity, r.delay_seconds, r.thresholds,
       NOT EXISTS (SELECT 1 FROM jsonb_each(r.targets) t WHERE jsonb_array_length(t.value) > 0) AS is_everywhere,
       ARRAY(SELECT p.id FROM jsonb_each(r.targets) t, jsonb_array_elements_text(t.value) AS x(id)
         JOIN unnest($3::text[]) AS p(id) ON p.id = x.id) AS ids
     FROM alarm_rules r WHERE r.organization_id = $1 AND NOT r.is_deleted AND r.is_enabled AND r.types && $2::text[] ORDER BY r.id`,
    [organizationId, [...new Set(types)], [...ids]],
  )
}

export function rulesFor(rules: readonly Rule[], type: AlarmType, place: Place | undefined): Rule[] {
  return rules.filter(
    rule =>
      rule.types.includes(type) &&
      (rule.is_everywhere || (place?.ids.some(id => rule.ids.includes(id)) ?? false)),
  )
}

/** The most severe that its rules say. A rule that says none leaves what the condition is by itself. */
export function severityOf(
  rules: readonly Rule[],
  { type, severity }: Pick<Condition, 'type' | 'severity'>,
): AlarmSeverity {
  const own = severity ?? alarmTypes[type].severity
  if (rules.length === 0) return own
  const ranks = rules.map(rule => rankOf(rule.severity ?? own))
  return alarmSeverities[Math.max(...ranks)] ?? own
}

export function rankOf(severity: AlarmSeverity): number {
  return alarmSeverities.indexOf(severity)
}

/** Seconds that the condition has to hold: as the most impatient of its rules says. */
export function delayOf(rules: readonly Rule[], type: AlarmType): number {
  const usual = alarmTypes[type].delay_seconds
  return rules.length === 0 ? usual : Math.min(...rules.map(rule => rule.delay_seconds ?? usual))
}

/** Whether it is an alarm at all: some types only where a rule asks for them. */
export function isWanted(rules: readonly Rule[], type: AlarmType): boolean {
  return rules.length > 0 || !('is_asked_for' in alarmTypes[type])
}
