import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../config/start-error.ts'
import { type Account, runAs } from './account.ts'
import { findShippedMajor } from './binaries.ts'

/**
 * Returns the major version of PostgreSQL that made a database; undefined if there is none, or if its file is
 * damaged, of which PostgreSQL itself tells.
 */
export async function readMajor(database_dir: string): Promise<number | undefined> {
  const text = await readFile(join(database_dir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return Number.parseInt(text ?? '', 10) || undefined
}

/** Returns the major version of the programs in a folder; undefined if the account cannot run them. */
export async function askMajor(bin_dir: string, account: Account | undefined): Promise<number | undefined> {
  const asked = promisify(execFile)(join(bin_dir, 'postgres'), ['--version'], runAs(account))
  const said = await asked.catch(() => undefined)
  const [, major] = /PostgreSQL\) (\d+)/.exec(said?.stdout ?? '') ?? []
  return major === undefined ? undefined : Number(major)
}

/** Throws if another major version made the database: PostgreSQL reads only files of its own. */
export async function requireMajor(database_dir: string): Promise<void> {
  const made_by = await readMajor(database_dir)
  const shipped = await findShippedMajor()
  if (made_by === undefined || made_by === shipped) return
  const fact = `The database in ${database_dir} was made by PostgreSQL ${made_by}, and this version brings ${shipped}`
  throw new StartError(
    made_by > shipped
      ? `${fact}: start the version of Gatehouse that brings ${made_by}, or restore a logical backup with this one.`
      : `${fact}: set GATEHOUSE_OLD_POSTGRES to a folder with the programs of PostgreSQL ${made_by}, such as /usr/lib/postgresql/${made_by}/bin, and the next start converts it; or start the version of Gatehouse from before, run gatehouse backup now --kind logical, stop it, move ${database_dir} away, and run gatehouse restore --backup ID with this version.`,
  )
}
