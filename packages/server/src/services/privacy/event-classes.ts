import type { PeriodName } from '@gatehouse-access/api'

/** What expires of events, and the period by which it does. */
export const expiries = {
  access_deleted: 'access_delete_days',
  device: 'device_days',
  access: 'access_days',
  other: 'other_days',
} as const satisfies Record<string, PeriodName>
export type Expiry = keyof typeof expiries

const type = `(t.object->>'type')`
export const isDevice = `${type} IN ('gadget_state', 'gadget_signal')`
/** Whoever joins an organization by an invitation is a user of the console. */
export const isAccess = `((t.verb IN ('use', 'reveal') OR ${type} = 'access_denial') AND NOT ${isDevice} AND ${type} <> 'invitation')`

/** True for events `t` that have what expires. */
export const expiring = {
  access_deleted: isAccess,
  device: isDevice,
  access: `${isAccess} AND ((t.subject->>'member_id') IS NOT NULL OR (t.object->>'member_id') IS NOT NULL)`,
  other: `NOT ${isDevice} AND ((t.subject ?| '{ip_address,client}' AND (t.subject->>'member_id') IS NULL)
    OR t.object ? 'changes' OR (${type} = 'invitation' AND t.object ? 'name'))`,
}
