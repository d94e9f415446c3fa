import type { Database } from '../../database/db.ts'
import { type AuditKeys, checkSeal, linkText, originText, type SealState } from '../keys.ts'
import type { KnownHead } from './report.ts'

/** The last link without a seal, from before links were sealed. */
interface Origin {
  readonly number: number
  readonly hash: Buffer
  readonly seal: Buffer
}

export async function loadOrigin(db: Database, organizationId: string): Promise<Origin | undefined> {
  const [row] = await db.query<{ number: string; hash: Buffer; seal: Buffer }>(
    'SELECT number, hash, seal FROM audit_origins WHERE organization_id = $1',
    [organizationId],
  )
  return row && { ...row, number: Number(row.number), hash: Buffer.from(row.hash) }
}

/** Returns the origin in the form of a head from a checkpoint. */
export function headOf({ number, hash }: Origin): KnownHead {
  return { number, hash: hash.toString('hex'), source: 'the statement of where links began to be sealed' }
}

interface Sealed {
  readonly number: string
  readonly event_id: string
  readonly hash: Buffer
  readonly seal: Buffer | null
}

type Named = { readonly event_id: string; readonly kind: 'seal'; readonly message: string }

/** Returns a sentence about the fault of the origin itself, or undefined. */
export function checkOrigin(
  keys: AuditKeys | undefined,
  id: string,
  origin: Origin | undefined,
): string | undefined {
  if (!keys || !origin) return undefined
  const state = checkSeal(keys, originText(id, origin.number, origin.hash), origin.seal)
  return state === 'right'
    ? undefined
    : `the statement of where the links without a seal end ${reasons[state]}`
}

/** Returns undefined if the service created this link, or vouched for it when sealing was introduced. */
export function nameSeal(
  keys: AuditKeys | undefined,
  id: string,
  { number: text, event_id, hash, seal }: Sealed,
  origin: Origin | undefined,
): Named | undefined {
  if (!keys) return undefined
  const number = Number(text)
  const told = (message: string): Named => ({ event_id, kind: 'seal', message })
  if (origin && number <= origin.number) return undefined
  const state = checkSeal(keys, linkText(id, number, Buffer.from(hash)), seal)
  return state === 'right' ? undefined : told(`the link of event ${event_id} ${reasons[state]}`)
}

const reasons: Record<Exclude<SealState, 'right'>, string> = {
  missing: 'has no seal: the chain was rewritten by someone without the service key',
  wrong: 'has a wrong seal: the chain was rewritten by someone without the service key',
  'unknown key': 'is sealed with a key that was not given: add the retired key, or it was forged',
}
