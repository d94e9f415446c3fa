import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import type { Account } from '../../database/embedded/account.ts'
import { findShippedMajor, listOldBinaries } from '../../database/embedded/binaries.ts'
import { lockDataDir } from '../../database/embedded/lock.ts'
import { askMajor, readMajor } from '../../database/embedded/major.ts'
import { clearRemains } from '../../database/embedded/orphan.ts'
import { preparePlace } from '../../database/embedded/place.ts'
import { settleSwap, swapIn } from '../../database/embedded/swap.ts'
import { messageOf } from '../../flow/failures.ts'
import { makeDraft } from '../restore/draft.ts'

type ConvertConfig = Pick<Config, 'data_dir' | 'run_as' | 'old_postgres_dir'>
type Log = Pick<Logger, 'info' | 'warn'>

/**
 * Moves the rows of an embedded database that an earlier major version of PostgreSQL made into a new one beside it,
 * which takes its place at the end. Killed before, the old one is as it was; it is kept in any case. Without the
 * programs of the earlier version nothing is done: the start says what to do.
 */
export async function convertCluster(config: ConvertConfig, log: Log): Promise<void> {
  const { data_dir, run_as } = config
  if (!(await findOldMajor(join(data_dir, 'database')))) return
  using _lock = lockDataDir(data_dir)
  await settleSwap(data_dir)
  const place = await preparePlace(data_dir, run_as)
  await clearRemains(place, log)
  const major = await findOldMajor(place.database_dir)
  const bin_dir = major && (await findPrograms(major, place.account, config.old_postgres_dir))
  if (!major || !bin_dir) return
  const kept = keptPath(place.data_dir, major)
  log.warn({ from: major, kept }, 'converting the database to the PostgreSQL of this version')
  // Hardly ever needed, and large.
  const { transfer } = await import('./transfer.ts')
  await using draft = await makeDraft(place.data_dir, 'upgrade-', run_as)
  await transfer({ ...place, bin_dir }, draft.path).catch(explain)
  await swapIn(place.data_dir, join(draft.path, 'database'), kept)
  log.info({ kept }, 'the database was converted; the old one is kept, and can be deleted')
}

async function findOldMajor(database_dir: string): Promise<number | undefined> {
  const major = await readMajor(database_dir)
  return major !== undefined && major < (await findShippedMajor()) ? major : undefined
}

async function findPrograms(
  major: number,
  account: Account | undefined,
  given: string | undefined,
): Promise<string | undefined> {
  for (const bin_dir of given ? [given] : await listOldBinaries(major, account)) {
    const found = await askMajor(bin_dir, account)
    if (found === major) return bin_dir
    if (given)
      throw new StartError(
        `GATEHOUSE_OLD_POSTGRES is ${given}, which has ${found ? `PostgreSQL ${found}` : 'no PostgreSQL that can be run'}, but the database was made by PostgreSQL ${major}.`,
      )
  }
  return undefined
}

function keptPath(data_dir: string, major: number): string {
  const kept = join(data_dir, `database-${major}`)
  if (existsSync(kept))
    throw new StartError(
      `The database cannot be converted to the PostgreSQL of this version, because ${kept} is there, as which it would be kept: move that away first.`,
    )
  return kept
}

function explain(cause: unknown): never {
  if (cause instanceof StartError) throw cause
  throw new StartError(
    `The database cannot be converted to the PostgreSQL of this version, and is as it was: ${messageOf(cause)}.`,
    { cause },
  )
}
