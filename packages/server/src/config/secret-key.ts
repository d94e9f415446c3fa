import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf } from '../flow/failures.ts'
import { makeDataDir } from './data-dir.ts'
import { StartError } from './start-error.ts'

/** The first key encrypts. The others decrypt what was encrypted earlier. */
export type SecretKeys = readonly [Buffer, ...Buffer[]]

/** Parses 32-byte keys in base64, separated by commas or newlines. Returns undefined if any is malformed. */
export function parseSecretKeys(text: string): SecretKeys | undefined {
  const [first, ...others] = text
    .split(/[,\n]/)
    .map(part => part.trim())
    .filter(Boolean)
  const is_right = [first ?? '', ...others].every(part => /^[A-Za-z0-9+/_-]{43}=?$/.test(part))
  if (first === undefined || !is_right) return undefined
  return [Buffer.from(first, 'base64'), ...others.map(part => Buffer.from(part, 'base64'))]
}

/** Returns the keys in `secret-key` of the data folder. Creates the file if the folder is new. */
export function loadSecretKeys(data_dir: string): SecretKeys {
  const path = join(data_dir, 'secret-key')
  makeDataDir(data_dir)
  if (!existsSync(path)) createSecretKey(path, data_dir)
  const keys = parseSecretKeys(readSecretKey(path))
  if (keys) return keys
  throw new StartError(
    `The key file ${path} is damaged: restore it from a backup, since the secrets in the database need it.`,
  )
}

function readSecretKey(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartError(`The key file ${path} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

function createSecretKey(path: string, data_dir: string): void {
  // A new key for an existing database would make all PINs and links unreadable, unnoticed for days.
  if (existsSync(join(data_dir, 'database')))
    throw new StartError(
      `The key file ${path} is missing although the database exists: restore it from a backup or set GATEHOUSE_SECRET_KEY.`,
    )
  const draft = `${path}.${process.pid}`
  writeDurably(draft, `${randomBytes(32).toString('base64')}\n`)
  linkUnlessThere(draft, path)
  rmSync(draft)
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
}

// Two processes may start at once: the first link wins, and both then read the same key.
function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
