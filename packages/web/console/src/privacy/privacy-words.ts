import type { ObjectOf, PeriodName, Resources } from '@gatehouse-access/api'

export type Privacy = ObjectOf<Resources['organization']>['privacy']
export type Pending = NonNullable<ObjectOf<Resources['organization']>['privacy_pending']>

/** What a period is called, and what happens when it is over. */
export const periodWords: Readonly<Record<PeriodName, readonly [name: string, about: string]>> = {
  member_days: ['Deleted members', 'Erased so many days after their deletion'],
  access_days: ['Who used a door', 'Uses, denials and sign-ins lose their member'],
  access_delete_days: ['Uses of doors', 'Uses, denials and sign-ins are deleted'],
  other_days: ['Where changes came from', 'IP address, browser and personal values go; who acted stays'],
  device_days: ['States of doors', 'States and signals are deleted'],
}

const none = {
  member_days: null,
  access_days: null,
  access_delete_days: null,
  other_days: null,
  device_days: null,
}

/** What is usual, as a beginning. */
export const presets: readonly (readonly [
  name: string,
  periods: typeof none | Record<PeriodName, number | null>,
])[] = [
  ['Keep everything', none],
  [
    'France (90 days)',
    { ...none, member_days: 90, access_days: 90, access_delete_days: 90, other_days: 365, device_days: 90 },
  ],
  [
    'Germany (30 and 90 days)',
    { ...none, member_days: 90, access_days: 30, access_delete_days: 90, other_days: 365, device_days: 30 },
  ],
  [
    'Hotel (90 and 365 days)',
    { ...none, member_days: 90, access_days: 90, access_delete_days: 365, other_days: 365, device_days: 90 },
  ],
]

export function daysInWords(days: number | null | undefined): string {
  if (days == null) return 'for ever'
  return days === 1 ? '1 day' : `${days} days`
}
