import type { AnchoredHead } from './anchor-file.ts'
import type { Closing } from './closings.ts'

/** Where the chains stood at a moment, signed. Each holds the hash of the one before, so none can be left out. */
export interface Checkpoint {
  readonly number: number
  readonly created_at: string
  /** Hash of the whole previous document; null in the first. */
  readonly previous: string | null
  /** The chains that grew since the last checkpoint. */
  readonly heads: { readonly [organization_id: string]: { readonly number: number; readonly hash: string } }
  /** The chains that ended since: their organizations were purged. */
  readonly closed?: readonly Closing[]
  /** The database was put back from a backup, and this was given up. */
  readonly restored?: {
    readonly by: string
    readonly reason: string
    readonly abandoned: readonly AnchoredHead[]
  }
  readonly public_key: string
}
