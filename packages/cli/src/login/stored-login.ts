import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'

/** What `gatehouse login` leaves for later commands. */
export interface StoredLogin {
  /** Where the service answers, without a slash at the end. */
  readonly url: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly scope: string
  readonly access_token: string
  readonly refresh_token: string
  /** When the access token ends. */
  readonly expires_at: string
}

/** Returns the path of the file, or undefined for a user without a home. */
export function loginPath(env: NodeJS.ProcessEnv): string | undefined {
  const folder = env.XDG_CONFIG_HOME || (env.HOME ? join(env.HOME, '.config') : undefined)
  return folder && join(folder, 'gatehouse', 'login.json')
}

export function readLogin(env: NodeJS.ProcessEnv): StoredLogin | undefined {
  const path = loginPath(env)
  if (!path) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(`The login in ${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`The login in ${path} is damaged: run gatehouse login again.`, { cause })
  }
}

/** Writes a file that only its owner can read, whole or not at all. */
export function writeLogin(env: NodeJS.ProcessEnv, login: StoredLogin): string {
  const path = loginPath(env)
  if (!path) throw new CommandError('There is no folder for the login: set HOME or XDG_CONFIG_HOME.')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${JSON.stringify(login, null, 2)}\n`)
  closeSync(file)
  renameSync(draft, path)
  return path
}

export function removeLogin(env: NodeJS.ProcessEnv): void {
  const path = loginPath(env)
  if (path) rmSync(path, { force: true })
}

const longestHold = 30_000

/** Lets one command at a time renew the login: a refresh token is used once. */
export async function holdingLogin<T>(env: NodeJS.ProcessEnv, renew: () => Promise<T>): Promise<T> {
  const lock = `${loginPath(env)}.lock`
  while (!take(lock)) await sleep(50)
  try {
    return await renew()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    dropIfLeft(lock)
    return false
  }
}

/** A command that was killed leaves its lock behind. */
function dropIfLeft(lock: string): void {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  if (made !== undefined && Date.now() - made > longestHold) rmSync(lock, { force: true })
}
