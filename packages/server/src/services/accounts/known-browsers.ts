import { randomBytes, timingSafeEqual } from 'node:crypto'
import { epochMilliseconds } from '@gatehouse/core'
import type { Voice } from '../../texts/language.ts'
import { digestFor } from '../../vault/contexts.ts'
import { sendLetterLater } from '../mail/letters.ts'
import { countSend } from '../mail/mail-codes.ts'
import type { Context } from '../objects/context.ts'

/**
 * A browser that somebody signed in with keeps a mark for that address: then its attempts have a budget of their own, and are not
 * slowed by what strangers do. Nothing of it is stored; whoever has the mark cannot guess more than anybody else, and not sign in.
 */
const markPattern = /^([\w-]{22})([\w-]{43})$/
const linkPattern = /^([\w-]{22})_(\d{10})_([\w-]{43})$/
const link_lifetime = 2 * 3600
const links_an_hour = 5

type Needs = Pick<Context, 'vault' | 'clock'>

/** The name of the cookie: one for each address, which it does not tell. */
export function markName({ vault }: Needs, email: string): string {
  return `known_${vault.digests(email.toLowerCase(), digestFor.known_name)[0]?.toString('hex').slice(0, 16)}`
}

/** A browser's mark; the same one again for a browser that is known. */
export function makeMark(
  { vault }: Needs,
  email: string,
  known = randomBytes(16).toString('base64url'),
): string {
  return `${known}${seals(vault, email, known, digestFor.known_browser)[0]?.toString('base64url')}`
}

/** What attempts of this browser are counted by; undefined when the mark is not one of ours for this address. */
export function readMark({ vault }: Needs, email: string, mark: string | undefined): string | undefined {
  const [, known, seal] = markPattern.exec(mark ?? '') ?? []
  return known && isSealed(seals(vault, email, known, digestFor.known_browser), seal) ? known : undefined
}

/** Mails a link that makes the browser it is opened in a known one, if the address has an account; nobody is told whether it has. */
export async function sendLink(context: Context, voice: Voice, email: string): Promise<void> {
  const { sign_in_db: db, clock, config, vault } = context
  const [user] = await db.query<{ email: string }>('SELECT email FROM users WHERE email_key = $1', [
    email.toLowerCase(),
  ])
  const now = clock.now()
  if (!user || !(await countSend({ db, now }, `link ${email.toLowerCase()}`, links_an_hour))) return
  // It outlives the hour for which no more are sent: whoever asks for many cannot keep the owner from having one that works.
  const until = Math.floor(epochMilliseconds(now) / 1000) + link_lifetime
  const known = randomBytes(16).toString('base64url')
  const [seal] = seals(vault, email, `${known} ${until}`, digestFor.known_link)
  const query = new URLSearchParams({
    email: user.email,
    link: `${known}_${until}_${seal?.toString('base64url')}`,
  })
  sendLetterLater(context, voice, user.email, 'link', { url: `${config.public_url}/sign-in/link?${query}` })
}

/** What a link stands for, while it lasts; however often it is opened, all of it is one budget. */
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
