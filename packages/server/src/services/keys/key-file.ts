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

/** The most milliseconds between a starting server's read of the key file and its lock of the data folder. */
const startMargin = 2000

export function newSecretKey(): string {
  return randomBytes(32).toString('base64')
}

/** Adds a key in front of those in the key file. The old ones stay, so that all secrets remain readable. */
export function addSecretKey(data_dir: string, key: string): void {
  replaceKeyFile(data_dir, [key, ...loadSecretKeys(data_dir).map(encode)])
}

/** Keeps only the first key in the key file. The others open old database backups and are set aside. */
export function retireSecretKeys(data_dir: string): string {
  const [current, ...old] = loadSecretKeys(data_dir)
  const retired = join(data_dir, 'secret-key.retired')
  appendFileSync(retired, old.map(key => `${encode(key)}\n`).join(''), { mode: 0o600, flush: true })
  if (current) replaceKeyFile(data_dir, [encode(current)])
  return retired
}

/** Whether the server of the data folder started after the key file last changed, and so has its keys. */
export function hasServerReadKeys(data_dir: string): boolean {
  const began = statSync(join(data_dir, 'lock.pid'), { throwIfNoEntry: false })
  return (began?.mtimeMs ?? 0) > statSync(keyFile(data_dir)).mtimeMs + startMargin
}

/** Waits so long that any server started afterwards provably has read the current key file. */
export async function outwaitStart(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, startMargin + 100))
}

/** Allows one rotation per data folder at a time. The kernel releases the lock when the process ends. */
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

/** Replaces the file atomically and syncs it. Keeps its owner, because the server may run as another user. */
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
