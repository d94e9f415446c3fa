import { invalid } from '@gatehouse-access/api'

interface Validity {
  readonly starts_at: string | null
  readonly ends_at: string | null
}

/** Canonical timestamps can be compared as strings. */
export function refuseEndBeforeStart({ starts_at, ends_at }: Validity): void {
  if (starts_at !== null && ends_at !== null && ends_at < starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must not be before starts_at ${starts_at}`)
}

export function refuseEndAtStart({ starts_at, ends_at }: Validity): void {
  if (ends_at !== null && ends_at === starts_at)
    throw invalid('ends_at', `ends_at ${ends_at} must be after starts_at ${starts_at}`)
}
