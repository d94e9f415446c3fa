import type { ItemOf } from '../data/collections.ts'
import { locale } from '../language/languages.ts'
import { t } from '../language/t.ts'

export type Emergency = ItemOf<'emergencies'>
export type Plan = ItemOf<'emergency_plans'>
export type EmergencyType = Plan['type']

export const typeNames: Record<EmergencyType, string> = {
  lockdown: t('Lockdown'),
  evacuation: t('Evacuation'),
}

/** What the type does to doors, in words for someone in a hurry. */
export const typeMeanings: Record<EmergencyType, string> = {
  lockdown: t('Locks doors. People can always leave.'),
  evacuation: t('Holds doors open.'),
}

/** Returns the name that the plan had at the start, or the type if it was started without a plan. */
export function emergencyName({ name, type }: Pick<Emergency, 'name' | 'type'>): string {
  return name || typeNames[type]
}

export function isActive({ ended_at }: Pick<Emergency, 'ended_at'>): boolean {
  return ended_at === null || ended_at === undefined
}

/** Returns `less than a minute`, `12 min` or `1 hr 5 min`. */
export function lengthWords(from: string, until: number): string {
  const minutes = Math.max(0, Math.floor((until - Date.parse(from)) / 60_000))
  if (minutes < 1) return t('less than a minute')
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? t(`${minutes} min`) : t(`${hours} hr ${minutes % 60} min`)
}

export function doorCount(count: number): string {
  return count === 1 ? t('1 door') : t(`${count.toLocaleString(locale)} doors`)
}
