import type { Logger } from 'pino'
import { convertCluster } from '../backup/convert/convert-cluster.ts'
import { mostKept } from '../backup/give-up.ts'
import type { Config } from '../config/config.ts'
import { makeDataDir } from '../config/data-dir.ts'
import type { ConnectionOptions, Pool } from '../database/db.ts'
import { type Disk, watchDisk } from '../database/disk.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { openLog } from '../monitoring/log.ts'

/** The embedded PostgreSQL and the disk that it is on. */
export interface EmbeddedDatabase extends AsyncDisposable {
  readonly connection: ConnectionOptions
  readonly disk: Disk
  /** Says with which connections PostgreSQL is told to make room on the disk. */
  connected(db: Pool): void
}

export async function openEmbedded(
  config: Config,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
  onLaunch?: () => void,
): Promise<EmbeddedDatabase> {
  await using owned = new AsyncDisposableStack()
  const { data_dir, run_as } = config
  let pool: Pool | undefined
  const onScarce = (free_bytes: number) => {
    log.warn({ free_bytes }, 'the disk is nearly full: only deletions, revocations and doors can still write')
    // PostgreSQL can then remove old write-ahead log.
    pool?.query('CHECKPOINT', [], { prepare: false }).catch(() => undefined)
  }
  // Opened before PostgreSQL, which may need the ballast's space to start.
  const disk = owned.use(await watchDisk({ path: data_dir, onScarce }))
  makeDataDir(data_dir)
  await convertCluster(config, log)
  // The service gives up the log that waits for backups earlier than PostgreSQL itself, unless it hangs.
  const settings = { max_slot_wal_keep_size: `${Math.ceil((await mostKept(data_dir)) / 1024 ** 2)}MB` }
  const { connection } = owned.use(await startEmbedded({ data_dir, run_as, log, settings, onLaunch }))
  const kept = owned.move()
  return {
    connection,
    disk,
    connected(db) {
      pool = db
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

export interface Launched {
  readonly opened: Promise<EmbeddedDatabase>
}

/**
 * Launches the embedded PostgreSQL, if there is one, and does not wait for it: meanwhile this process loads the
 * rest of itself. Zone data of the operator's is checked before anything is opened, so that comes first.
 */
export async function launchEmbedded(config: Config): Promise<Launched | undefined> {
  if (config.database_url || config.tzdata_dir) return undefined
  const launched = Promise.withResolvers<void>()
  const opened = openEmbedded(config, openLog(config.log_level), launched.resolve)
  // Whoever awaits it hears of a failure.
  opened.catch(() => launched.resolve())
  await launched.promise
  return { opened }
}
