import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Semaphore } from '../../flow/semaphore.ts'
import type { Context } from '../objects/context.ts'

const hashArgon2 = promisify(argon2)

/**
 * Hashes run in the threads that files and names are looked up in, of which there are four, and each takes a core: so there are
 * never many at once. One takes some 30 ms; whoever would wait for two seconds is told to come back.
 */
const turns = new Semaphore(availableParallelism() > 2 ? 2 : 1, { most_waiting: 64, what: 'passwords' })

interface Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

// What OWASP recommends. The text form carries it, so that it can be raised later.
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const hash = await compute(password, nonce, cost)
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(hash)}`
}

/** Costs the same time whether there is a password to compare with or not. */
const none = Buffer.alloc(0)

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

/** What is wrong with a new password. Length counts; there are no rules about kinds of characters. */
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
 * Easy: few different characters; or stolen passwords, one with anything but letters around it or two put together; or the
 * user's own words with little besides.
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

/** The list takes 20 MB, and few processes ever see a new password. One that cannot be read is tried again. */
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
