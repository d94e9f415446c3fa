/** What deliveries of one batch have in common. */
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
  /** Which time of the round's schedule this attempt is for, and when the one before it began. */
  readonly round_place: number
  readonly previous_at: string | null
  readonly due_at: string
  /** Where it waits for its first attempt; none when it is in the log and tried again. */
  readonly batch?: Batch
}

/** One row of `webhook_batches`, which goes with the last of its outcomes. */
export interface Batch {
  readonly id: string
  /** Events whose outcome is not recorded yet. */
  readonly left: Set<string>
}
