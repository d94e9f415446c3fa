import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Semaphore } from '../../flow/semaphore.ts'
import type { Context } from '../objects/context.ts'

const hashArgon2 = promisify(argon2)

/**
 * Hashes run in the libuv pool, whose four threads also serve file access and name lookups, and each hash
 * uses a core, so few run at once. A hash takes about 30 ms. With 64 waiting, up to two seconds of work,
 * further requests are told to retry.
 */
const turns = new Semaphore(availableParallelism() > 2 ? 2 : 1, { most_waiting: 64, what: 'passwords' })

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

// The parameters that OWASP recommends. The encoded hash includes them, so that they can be raised later.
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await compute(password, nonce, cost)
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(hash)}`
}

const none = Buffer.alloc(0)

/** Takes the same time whether or not there is a stored hash. */
export async function isPasswordRight(stored: string | null | undefined, password: string): Promise<boolean> {
  const match = pattern.exec(stored ?? (await decoy))
  if (!match) return false
  const [memory = 0, passes = 0, parallelism = 0] = match.slice(1, 4).map(Number)
  const [nonce = none, hash = none] = match.slice(4).map(text => Buffer.from(text, 'base64'))
  const computed = await compute(password, nonce, { memory, passes, parallelism })
  return timingSafeEqual(computed, hash) && stored != null
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const decoy = hashPassword(randomBytes(16).toString('hex'))

function compute(message: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  const options = {
    message: message.normalize('NFC'),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: 32,
  }
  return turns.run(() => hashArgon2('argon2id', options))
}

type PasswordFault = 'password_too_short' | 'password_too_long' | 'password_too_common'

/** Returns the fault of a new password. Length matters; there are no rules about character classes. */
export async function findPasswordFault(
  { config }: Pick<Context, 'config'>,
  password: string,
  about: readonly string[],
): Promise<PasswordFault | undefined> {
  const length = [...password].length
  if (length < 12) return 'password_too_short'
  if (length > 256) return 'password_too_long'
  const stolen = await loadStolen(config.password_list)
  return isEasy(password.toLowerCase(), about, stolen) ? 'password_too_common' : undefined
}

/**
 * A password is easy if it has few different characters; if it is a leaked password with non-letters around
 * it, or two leaked passwords joined; or if it is little more than the user's own words.
 */
function isEasy(password: string, about: readonly string[], stolen: ReadonlySet<string>): boolean {
  const words = [...about, 'gatehouse']
    .flatMap(text => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(word => word.length > 3)
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), password)
  const stem = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return (
    new Set(password).size < 5 ||
    rest.length < 6 ||
    [password, stem].some(text => isStolen(text, stolen) || isTwoStolen(text, stolen))
  )
}

function isStolen(text: string, stolen: ReadonlySet<string>): boolean {
  return text !== '' && stolen.has(text)
}

function isTwoStolen(text: string, stolen: ReadonlySet<string>): boolean {
  for (let at = 3; at <= text.length - 3; at++)
    if (stolen.has(text.slice(0, at)) && stolen.has(text.slice(at))) return true
  return false
}

const lists = new Map<string | undefined, Promise<ReadonlySet<string>>>()

/** Loaded on first use: the list takes 20 MB, and few processes see a new password. Retries a failed load. */
export function loadStolen(path: string | undefined): Promise<ReadonlySet<string>> {
  const held = lists.get(path)
  if (held) return held
  const loading = readStolen(path)
  lists.set(path, loading)
  loading.catch(() => lists.delete(path))
  return loading
}

async function readStolen(path: string | undefined): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const more = path ? (await readFile(path, 'utf8')).toLowerCase().split(/\r?\n/) : []
  return new Set([...dictionary['passwords-common'], ...more].filter(password => password !== ''))
}
