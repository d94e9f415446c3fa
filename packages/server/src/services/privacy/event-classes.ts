import type { PeriodName } from '@gatehouse-access/api'

/** Which events a period is about, of those that are old enough. `t` is the event. */
export interface EventClass {
  readonly period: Exclude<PeriodName, 'member_days'>
  /** True for events that have what the period takes away. */
  readonly condition: string
}

const type = `(t.object->>'type')`
const isDevice = `${type} IN ('gadget_state', 'gadget_signal')`
/** Whoever joins an organization by an invitation is a user of the console. */
const isAccess = `((t.verb IN ('use', 'reveal') OR ${type} = 'access_denial') AND NOT ${isDevice} AND ${type} <> 'invitation')`

export const eventClasses = {
  access: {
    period: 'access_days',
    condition: `${isAccess} AND ((t.subject->>'member_id') IS NOT NULL OR (t.object->>'member_id') IS NOT NULL)`,
  },
  access_deleted: { period: 'access_delete_days', condition: isAccess },
  other: {
    period: 'other_days',
    condition: `NOT ${isDevice} AND ((t.subject ?| '{ip_address,client}' AND (t.subject->>'member_id') IS NULL)
      OR t.object ? 'changes' OR (${type} = 'invitation' AND t.object ? 'name'))`,
  },
  device: { period: 'device_days', condition: isDevice },
} as const satisfies Record<string, EventClass>
