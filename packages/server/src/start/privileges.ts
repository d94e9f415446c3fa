import { execFile } from 'node:child_process'
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { program_dir } from '../config/place.ts'
import { type Account, runAs } from '../database/embedded/account.ts'
import { loadEverything } from './load-everything.ts'

/**
 * Drops root permanently. First hands over the files that the service will write, and loads the modules it
 * may still need if the account cannot read them.
 */
export async function becomeAccount(
  account: Account,
  config: Config,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  handOver(config, account)
  if (!(await canReach(account))) {
    log.info(
      `the user ${account.name} cannot reach ${program_dir}: all modules are loaded now, which takes about 100 MB more memory`,
    )
    await loadEverything(config)
  }
  // The account may be unable to write there when the process ends.
  flushCompileCache()
  process.setgroups?.([account.gid])
  process.setgid?.(account.gid)
  process.setuid?.(account.uid)
}

async function canReach(account: Account): Promise<boolean> {
  const script = 'test -r "$1/package.json" && test -r "$2" && test -r "$1/node_modules"'
  const asked = promisify(execFile)(
    '/bin/sh',
    ['-c', script, 'sh', program_dir, import.meta.filename],
    runAs(account),
  )
  return asked.then(
    () => true,
    () => false,
  )
}

/**
 * Names of the files that the service creates in the data folder. The folder may hold others, and copies of
 * PostgreSQL stay owned by root.
 */
const own =
  /^(secret-key|secret-key\.(retired|lock)|lock|lock\.pid|postgres\.log(\.1)?|demo-password|checkpoints|recovery-key\.pub|backup)$/

function handOver({ data_dir, database_url, checkpoint_dirs, backup_dir }: Config, account: Account): void {
  if (!database_url) {
    give(data_dir, account)
    for (const name of readdirSync(data_dir)) if (own.test(name)) give(join(data_dir, name), account)
  }
  for (const folder of checkpoint_dirs) handOverFolder(folder, account)
  handOverInside(join(data_dir, 'backup'), account)
  if (!backup_dir) return
  // A folder that was used before and is missing is unplugged: nothing is created in its place.
  if (existsSync(join(data_dir, 'backup', 'folder.json'))) handOverInside(backup_dir, account)
  else handOverFolder(backup_dir, account)
  handOverInside(join(backup_dir, 'wal'), account)
}

/** Hands over an existing folder with the files and folders in it. */
function handOverInside(folder: string, account: Account): void {
  try {
    give(folder, account)
    for (const name of readdirSync(folder)) give(join(folder, name), account)
  } catch {}
}

/** Ignores a folder that cannot be created or handed over. Writing a checkpoint there reports the error. */
function handOverFolder(folder: string, account: Account): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    give(folder, account)
    for (const name of readdirSync(folder)) give(join(folder, name), account)
  } catch {}
}

/** Changes only root's own files and folders: a link may point anywhere, and other users keep their files. */
function give(path: string, { uid, gid }: Account): void {
  const found = lstatSync(path)
  if (found.uid === 0 && (found.isFile() || found.isDirectory())) chownSync(path, uid, gid)
}
