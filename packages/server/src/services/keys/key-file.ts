import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { loadSecretKeys } from '../../config/secret-key.ts'
import { StartError } from '../../config/start-error.ts'

/** A server that starts reads the key file at most this many milliseconds before it takes the data folder. */
const startMargin = 2000

export function newSecretKey(): string {
  return randomBytes(32).toString('base64')
}

/** Puts a key before those in the key file; the old ones stay, so that everything can still be read. */
export function addSecretKey(data_dir: string, key: string): void {
  replaceKeyFile(data_dir, [key, ...loadSecretKeys(data_dir).map(encode)])
}

/** Leaves only the first key in the key file. The others open old backups of the database and are kept aside. */
export function retireSecretKeys(data_dir: string): string {
  const [current, ...old] = loadSecretKeys(data_dir)
  const retired = join(data_dir, 'secret-key.retired')
  appendFileSync(retired, old.map(key => `${encode(key)}\n`).join(''), { mode: 0o600, flush: true })
  if (current) replaceKeyFile(data_dir, [encode(current)])
  return retired
}

/** Whether the server that has the data folder began after the key file was last changed, and so holds its keys. */
export function hasServerReadKeys(data_dir: string): boolean {
  const began = statSync(join(data_dir, 'lock.pid'), { throwIfNoEntry: false })
  return (began?.mtimeMs ?? 0) > statSync(keyFile(data_dir)).mtimeMs + startMargin
}

/** Waits until a server that starts from now on is known to have read the key file as it is. */
export async function outwaitStart(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, startMargin + 100))
}

/** One rotation of a data folder at a time; the kernel drops the lock with the process. */
export function lockKeyFile(data_dir: string): Disposable {
  const lock = new DatabaseSync(join(data_dir, 'secret-key.lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new StartError(`Another process is already rotating the keys in ${data_dir}.`, { cause })
  }
  return { [Symbol.dispose]: () => lock.close() }
}

function keyFile(data_dir: string): string {
  return join(data_dir, 'secret-key')
}

function encode(key: Buffer): string {
  return key.toString('base64')
}

/** The file is always whole, on the disk, and its owner's: the server may run as another user than the command. */
function replaceKeyFile(data_dir: string, keys: readonly string[]): void {
  const path = keyFile(data_dir)
  const draft = `${path}.draft`
  const { uid, gid } = statSync(path)
  const file = openSync(draft, 'w', 0o600)
  writeSync(file, `${keys.join('\n')}\n`)
  fsyncSync(file)
  closeSync(file)
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
  renameSync(draft, path)
  const folder = openSync(data_dir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
