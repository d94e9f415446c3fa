import type { Attempt } from '@gatehouse-access/api'
import type { DueDelivery } from './due-delivery.ts'

/** The result of an attempt. */
export interface Outcome {
  readonly delivery: DueDelivery
  readonly attempt: Attempt
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly round_started_at: string
  /** Index in the round's schedule of the next attempt, or of the last. */
  readonly round_place: number
  readonly next_attempt_at: string | null
  readonly finished_at: string | null
}
