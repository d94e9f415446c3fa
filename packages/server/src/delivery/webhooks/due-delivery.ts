/** Fields that all deliveries of a batch share. */
export interface Source {
  readonly organization_id: string
  readonly webhook_id: string
  readonly oauth_application_id: string
  readonly reader: string
  readonly created_at: string
}

export interface DueDelivery {
  readonly id: string
  readonly event_id: string
  readonly source: Source
  readonly body: Buffer
  readonly round_started_at: string | null
  /** Index in the round's schedule of this attempt, and when the previous attempt began. */
  readonly round_place: number
  readonly previous_at: string | null
  readonly due_at: string
  /** Set while it waits for its first attempt. Absent for a retry, which is in the log. */
  readonly batch?: Batch
}

/** A row of `webhook_batches`. It is deleted with its last outcome. */
export interface Batch {
  readonly id: string
  /** Events whose outcome is not recorded yet. */
  readonly left: Set<string>
}
