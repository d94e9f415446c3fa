import { randomBytes, timingSafeEqual } from 'node:crypto'
import { epochMilliseconds } from '@gatehouse-access/core'
import type { Voice } from '../../texts/language.ts'
import { digestFor } from '../../vault/contexts.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { countSend } from '../mail/mail-codes.ts'
import type { Context } from '../objects/context.ts'

/**
 * After a sign-in, the browser keeps a mark for that address. Its attempts then have a separate budget and
 * are not slowed by failures of strangers. Nothing is stored on the server. A stolen mark allows no more
 * guesses than any other browser has, and no sign-in.
 */
const markPattern = /^([\w-]{22})([\w-]{43})$/
const linkPattern = /^([\w-]{22})_(\d{10})_([\w-]{43})$/
const link_lifetime = 2 * 3600
const links_an_hour = 5

type Needs = Pick<Context, 'vault' | 'clock'>

/** Returns the name of the cookie. Each address has its own, and the name does not reveal the address. */
export function markName({ vault }: Needs, email: string): string {
  return `known_${vault.digests(email.toLowerCase(), digestFor.known_name)[0]?.toString('hex').slice(0, 16)}`
}

/** Returns the mark of a browser. A known browser keeps its identifier. */
export function makeMark(
  { vault }: Needs,
  email: string,
  known = randomBytes(16).toString('base64url'),
): string {
  return `${known}${seals(vault, email, known, digestFor.known_browser)[0]?.toString('base64url')}`
}

/** Returns the key to count this browser's attempts by, or undefined if the mark does not fit the address. */
export function readMark({ vault }: Needs, email: string, mark: string | undefined): string | undefined {
  const [, known, seal] = markPattern.exec(mark ?? '') ?? []
  return known && isSealed(seals(vault, email, known, digestFor.known_browser), seal) ? known : undefined
}

/**
 * If the address has an account, mails a link that makes the browser that opens it a known browser. The
 * response does not reveal whether the account exists.
 */
export async function sendLink(context: Context, voice: Voice, email: string): Promise<void> {
  const { sign_in_db: db, clock, config, vault } = context
  const [user] = await db.query<{ email: string }>('SELECT email FROM users WHERE email_key = $1', [
    email.toLowerCase(),
  ])
  const now = clock.now()
  if (!user || !(await countSend({ db, now, vault }, `link ${email.toLowerCase()}`, links_an_hour))) return
  // The link outlives the hour in which no more links are sent. An attacker who requests many links thus
  // cannot keep the owner from having a working one.
  const until = Math.floor(epochMilliseconds(now) / 1000) + link_lifetime
  const known = randomBytes(16).toString('base64url')
  const [seal] = seals(vault, email, `${known} ${until}`, digestFor.known_link)
  const query = new URLSearchParams({
    email: user.email,
    link: `${known}_${until}_${seal?.toString('base64url')}`,
  })
  sendLetterLater(context, voice, user.email, 'link', { url: `${config.public_url}/sign-in/link?${query}` })
}

/** Returns the identifier in a valid, unexpired link. All uses of one link share one budget. */
export function readLink({ vault, clock }: Needs, email: string, link: string): string | undefined {
  const [, known, until, seal] = linkPattern.exec(link) ?? []
  if (!known || Number(until) * 1000 < epochMilliseconds(clock.now())) return undefined
  return isSealed(seals(vault, email, `${known} ${until}`, digestFor.known_link), seal) ? known : undefined
}

function seals(vault: Context['vault'], email: string, text: string, purpose: string): Buffer[] {
  return vault.digests(`${email.toLowerCase()} ${text}`, purpose)
}

function isSealed(expected: readonly Buffer[], given: string | undefined): boolean {
  const seal = Buffer.from(given ?? '', 'base64url')
  return expected.some(one => one.length === seal.length && timingSafeEqual(one, seal))
}
