import type { ItemOf } from '../data/collections.ts'

type Rule = ItemOf<'unlock_rules'>

/** What the form of an unlock rule edits. */
export interface RuleValues {
  readonly name: string
  readonly site_id: string | null
  readonly gadget_ids: readonly string[]
  readonly schedule_id: string | null
  readonly has_first_person: boolean
  readonly member_group_ids: readonly string[]
  readonly early_seconds: number
  readonly before: 'controlled' | 'closed'
  readonly last_person_signal: { readonly gadget_id: string; readonly signal_id: string } | null
  readonly is_enabled: boolean
}

export function toValues(rule: Rule | undefined): RuleValues {
  const first = rule?.first_person
  return {
    name: rule?.name ?? '',
    site_id: rule?.site_id ?? null,
    gadget_ids: rule?.gadget_ids ?? [],
    schedule_id: rule?.schedule_id ?? null,
    has_first_person: Boolean(first),
    member_group_ids: first?.member_group_ids ?? [],
    early_seconds: first?.early_seconds ?? 1800,
    before: first?.before ?? 'controlled',
    last_person_signal: rule?.last_person_signal ?? null,
    is_enabled: rule?.is_enabled ?? true,
  }
}

export function toBody(values: RuleValues) {
  const { member_group_ids, early_seconds, before } = values
  return {
    name: values.name,
    gadget_ids: [...values.gadget_ids],
    schedule_id: values.schedule_id ?? '',
    first_person: values.has_first_person
      ? { member_group_ids: [...member_group_ids], early_seconds, before }
      : null,
    last_person_signal: values.last_person_signal,
    is_enabled: values.is_enabled,
  }
}
