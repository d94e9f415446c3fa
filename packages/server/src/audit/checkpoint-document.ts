import type { AnchoredHead } from './anchor-file.ts'
import type { Closing } from './closings.ts'

/** The chain heads at one time, signed. Each holds the hash of the previous one, so none can be left out. */
export interface Checkpoint {
  readonly number: number
  readonly created_at: string
  /** Hash of the whole previous document. Null in the first checkpoint. */
  readonly previous: string | null
  /** The chains that grew since the last checkpoint. */
  readonly heads: { readonly [organization_id: string]: { readonly number: number; readonly hash: string } }
  /** The chains that ended since the last checkpoint because their organizations were purged. */
  readonly closed?: readonly Closing[]
  /** Set if the database was restored from a backup and heads were abandoned. */
  readonly restored?: {
    readonly by: string
    readonly reason: string
    /** The time that the database was set back to. */
    readonly target?: string
    readonly backup_id?: string
    readonly abandoned: readonly AnchoredHead[]
  }
  readonly public_key: string
}
