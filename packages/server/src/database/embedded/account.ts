import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '../../config/start-error.ts'

const run = promisify(execFile)

/** The account that PostgreSQL runs as, if it is not the user of this process. */
export type Account = { name: string; uid: number; gid: number }

/**
 * Chooses the account for a service started as root and for its PostgreSQL, which refuses to run as root: the
 * named account, else the owner of the database, else `gatehouse`, else `nobody`. Returns undefined if this
 * process is not root.
 */
export async function chooseAccount(database_dir: string, run_as?: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await findOwner(database_dir)
  if (run_as === undefined || run_as === 'root')
    return owner ?? (await findAccount('gatehouse')) ?? (await createAccount())
  const named = await findAccount(run_as)
  if (!named)
    throw new StartError(`GATEHOUSE_RUN_AS is ${JSON.stringify(run_as)}: this machine has no such account.`)
  if (owner && owner.uid !== named.uid)
    throw new StartError(
      `GATEHOUSE_RUN_AS is ${run_as}, but ${database_dir} belongs to the user ${owner.name}: run chown -R ${run_as} ${database_dir} first.`,
    )
  return named
}

/**
 * Options for `spawn`. The child inherits neither the working directory nor the environment, which the
 * account may be unable to use.
 */
export function runAs(account: Account | undefined) {
  const environment = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  return account ? { ...environment, uid: account.uid, gid: account.gid } : environment
}

async function findOwner(path: string): Promise<Account | undefined> {
  const owner = await stat(path).catch(() => undefined)
  return owner?.uid ? { name: `with id ${owner.uid}`, uid: owner.uid, gid: owner.gid } : undefined
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createAccount(): Promise<Account> {
  const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']
  await run('useradd', [...flags, 'gatehouse']).catch(() => undefined)
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
  return (await findAccount('gatehouse')) ?? (await findAccount('nobody')) ?? nobody
}
