import type { Attempt } from '@gatehouse/api'
import type { DueDelivery } from './due-delivery.ts'

/** What an attempt led to. */
export interface Outcome {
  readonly delivery: DueDelivery
  readonly attempt: Attempt
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly round_started_at: string
  /** Which time of the round's schedule comes next, or was the last. */
  readonly round_place: number
  readonly next_attempt_at: string | null
  readonly finished_at: string | null
}
