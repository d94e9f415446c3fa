import { invalid } from '@gatehouse/api'
import type { Row } from '../store/db.ts'

/** Canonical timestamps compare as text. */
export function checkValidity({ starts_at, ends_at }: Row): void {
  if (typeof starts_at === 'string' && typeof ends_at === 'string' && ends_at <= starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must be after starts_at ${starts_at}`)
}
