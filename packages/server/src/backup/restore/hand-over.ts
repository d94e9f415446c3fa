import { loadSecretKeys } from '../../config/secret-key.ts'
import type { Database } from '../../database/db.ts'
import { systemClock } from '../../flow/clock.ts'
import { markRecovered } from '../../recovery/mark.ts'
import { migrate } from '../../store/migration/migrate.ts'

/** What is known of a restore once its database runs. */
export interface Restored {
  /** The time that the database is of. */
  readonly target: Date
  readonly backupId: string
  readonly by: string
  /** The folder with the ledger of what must not come back; undefined if the operator goes without it. */
  readonly ledger: string | undefined
}

/**
 * Runs when the restored database runs on a socket, before anything is served: brings the schema to this version
 * and marks the database, so that what was revoked since stays revoked. `folder` holds the key of the service.
 */
export async function handOver(db: Database, restored: Restored, folder: string): Promise<void> {
  await migrate(db, systemClock.now())
  await markRecovered(db, { ...restored, secret_keys: loadSecretKeys(folder) })
}
