import { invalid } from '@gatehouse/api'
import type { Row } from '../../database/db.ts'

/** Canonical timestamps compare as text. */
export function refuseEndBeforeStart({ starts_at, ends_at }: Row): void {
  if (typeof starts_at === 'string' && typeof ends_at === 'string' && ends_at < starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must not be before starts_at ${starts_at}`)
}

export function refuseEndAtStart({ starts_at, ends_at }: Row): void {
  if (typeof ends_at === 'string' && ends_at === starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must be after starts_at ${starts_at}`)
}
