import type { ObjectOf, PeriodName, Resources } from '@gatehouse-access/api'
import { t } from '../language/t.ts'

export type Privacy = ObjectOf<Resources['organization']>['privacy']
export type Pending = NonNullable<ObjectOf<Resources['organization']>['privacy_pending']>

/** What a period is called, and what happens when it is over. */
export const periodWords: Readonly<Record<PeriodName, readonly [name: string, about: string]>> = {
  member_days: [t('Deleted members'), t('Erased so many days after their deletion')],
  access_days: [t('Who used a door'), t('Uses, denials and sign-ins lose their member')],
  access_delete_days: [t('Uses of doors'), t('Uses, denials and sign-ins are deleted')],
  other_days: [
    t('Where changes came from'),
    t('IP address, browser and personal values go; who acted stays'),
  ],
  device_days: [t('States of doors'), t('States and signals are deleted')],
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
  [t('Keep everything'), none],
  [
    t('France (90 days)'),
    { ...none, member_days: 90, access_days: 90, access_delete_days: 90, other_days: 365, device_days: 90 },
  ],
  [
    t('Germany (30 and 90 days)'),
    { ...none, member_days: 90, access_days: 30, access_delete_days: 90, other_days: 365, device_days: 30 },
  ],
  [
    t('Hotel (90 and 365 days)'),
    { ...none, member_days: 90, access_days: 90, access_delete_days: 365, other_days: 365, device_days: 90 },
  ],
]

export function daysInWords(days: number | null | undefined): string {
  if (days == null) return t('for ever')
  return days === 1 ? t('1 day') : t(`${days} days`)
}
