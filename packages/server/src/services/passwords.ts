import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const hashArgon2 = promisify(argon2)

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
export async function isPasswordRight(stored: string | null | undefined, password: string): Promise<boolean> {
  const match = pattern.exec(stored ?? (await decoy))
  if (!match) return false
  const [memory = 0, passes = 0, parallelism = 0] = match.slice(1, 4).map(Number)
  const [nonce, hash] = match.slice(4).map(text => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  const computed = await compute(password, nonce, { memory, passes, parallelism })
  return timingSafeEqual(computed, hash) && stored != null
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const decoy = hashPassword(randomBytes(16).toString('hex'))

function compute(message: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  return hashArgon2('argon2id', {
    message: message.normalize('NFC'),
    nonce,
    memory,
    passes,
    parallelism,
    tagLength: 32,
  })
}

export type PasswordFault = 'password_too_short' | 'password_too_long' | 'password_too_common'

/** What is wrong with a new password. Length counts; there are no rules about kinds of characters. */
export async function findPasswordFault(
  password: string,
  about: readonly string[],
): Promise<PasswordFault | undefined> {
  const length = [...password].length
  if (length < 12) return 'password_too_short'
  if (length > 256) return 'password_too_long'
  const stolen = await loadStolen()
  return isEasy(password.toLowerCase(), about, stolen) ? 'password_too_common' : undefined
}

/** Easy: few different characters; or a stolen password, twice over or with a tail; or the user's own words with little besides. */
function isEasy(password: string, about: readonly string[], stolen: ReadonlySet<string>): boolean {
  const words = [...about, 'gatehouse']
    .flatMap(text => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(word => word.length > 3)
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), password)
  const half = password.slice(0, password.length / 2)
  const stem = password.replace(/[^\p{L}]+$/u, '')
  const is_doubled = half + half === password && stolen.has(half)
  return (
    new Set(password).size < 5 || rest.length < 6 || is_doubled || stolen.has(password) || stolen.has(stem)
  )
}

let stolen: Promise<ReadonlySet<string>> | undefined

/** The list takes 20 MB, and few processes ever see a new password. */
function loadStolen(): Promise<ReadonlySet<string>> {
  stolen ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return stolen
}
