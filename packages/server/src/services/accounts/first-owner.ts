import { timingSafeEqual } from 'node:crypto'
import { epochMilliseconds } from '@gatehouse-access/core'
import type { Database } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import { newId } from '../../store/ids.ts'
import { digestFor } from '../../vault/contexts.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Context } from '../objects/context.ts'
import { hashPassword } from './passwords.ts'

/**
 * The operator's link for the first person of an installation, who can be invited by nobody and to whom no mail
 * may reach yet. Nothing is stored: the link is sealed by the service key, and it is used up as soon as there is
 * a user.
 */
const pattern = /^(\d{10})_([\w-]{43})$/
const lifetime = 7 * 24 * 3600

type Needs = Pick<Context, 'clock' | 'vault'>

export function makeFirstLink({ clock, vault }: Needs, public_url: string): string {
  const until = Math.floor(epochMilliseconds(clock.now()) / 1000) + lifetime
  return `${public_url}/sign-up?first=${until}_${seals(vault, until)[0]?.toString('base64url')}`
}

/** Whether a link is genuine, not expired and not used. */
export async function isFirstLink(
  { clock, vault, sign_in_db }: Pick<Context, 'clock' | 'vault' | 'sign_in_db'>,
  link: string,
): Promise<boolean> {
  return isGenuine({ clock, vault }, link) && !(await hasUsers(sign_in_db))
}

/** Creates the first user, with the address as given. Returns undefined if somebody else was first. */
export async function createFirstOwner(
  { clock, vault, sign_in_db }: Pick<Context, 'clock' | 'vault' | 'sign_in_db'>,
  link: string,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<string | undefined> {
  if (!isGenuine({ clock, vault }, link)) return undefined
  const password_hash = await hashPassword(password)
  return sign_in_db.transaction(async db => {
    await holdLock(db, 'first_owner')
    if (await hasUsers(db)) return undefined
    const now = clock.now()
    const id = newId('user', now)
    await db.query(
      `INSERT INTO users (id, name, email, email_key, password_hash, email_verified_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [id, name, email, email.toLowerCase(), password_hash, now],
    )
    return id
  })
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.query('SELECT 1 FROM users LIMIT 1')).length > 0
}

function isGenuine({ clock, vault }: Needs, link: string): boolean {
  const [, until = '', seal = ''] = pattern.exec(link) ?? []
  const given = Buffer.from(seal, 'base64url')
  const isOurs = seals(vault, Number(until)).some(
    own => own.length === given.length && timingSafeEqual(own, given),
  )
  return isOurs && epochMilliseconds(clock.now()) < Number(until) * 1000
}

function seals(vault: Vault, until: number): Buffer[] {
  return vault.digests(String(until), digestFor.first_owner)
}
