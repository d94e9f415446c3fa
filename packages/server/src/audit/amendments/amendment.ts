import { createHash, type Hash } from 'node:crypto'
import type { Database } from '../../database/db.ts'

/**
 * What amends events: an erasure, or a run of retention.
 *
 *   digest′(n)   = SHA-256(new salt(n), what is left of the event)         the old salt is destroyed
 *   receipt hash = SHA-256(organization, act, every (n, kind, digest′(n)) in order)
 *
 * The receipt hash stands in an event of the organization, which is sealed as every other. So nobody can alter an event and call
 * it erased, and nobody can alter what is left of one. Until then the seal of each amendment shows that the service made it.
 */
export interface Act {
  readonly organization_id: string
  readonly act: string
}

/** The name of a run of retention in an organization. */
export function retentionAct(day: string): string {
  return `retention ${day}`
}

export function isRetention(act: string): boolean {
  return act.startsWith('retention ')
}

export interface Amendment {
  /** Of the link. */
  readonly number: number
  readonly kind: 'unlinked' | 'deleted'
  /** The event did not match its digest before it was amended: it stays reported. */
  readonly was_altered: boolean
  readonly digest: Buffer | null
}

/** What the seal of an amendment covers. */
export function amendmentText({ organization_id, act }: Act, amendment: Amendment): string {
  return `amendment ${organization_id} ${act} ${lineOf(amendment)}`
}

export function lineOf({ number, kind, was_altered, digest }: Amendment): string {
  return `${number} ${kind} ${was_altered ? 'altered ' : ''}${digest?.toString('hex') ?? '-'}\n`
}

/** Takes the lines of all amendments of the act, in the order of their links. */
export function beginReceipt({ organization_id, act }: Act): Hash {
  return createHash('sha256').update(`receipt ${organization_id} ${act}\n`)
}

const page = 5000

interface Row {
  readonly number: string
  readonly kind: Amendment['kind']
  readonly was_altered: boolean
  readonly digest: Buffer | null
}

/** Returns the receipt hash of an act, in hex; null if it has amended nothing. Read in pages, so it may be called anywhere. */
export async function receiptOf(db: Database, act: Act): Promise<string | null> {
  const receipt = beginReceipt(act)
  for (let after = 0; ; ) {
    const rows = await db.query<Row>(
      `SELECT number, kind, was_altered, digest FROM audit_amendments
       WHERE organization_id = $1 AND act = $2 AND number > $3 ORDER BY number LIMIT ${page}`,
      [act.organization_id, act.act, after],
    )
    receipt.update(rows.map(row => lineOf({ ...row, number: Number(row.number) })).join(''))
    const last = rows.at(-1)
    if (last) after = Number(last.number)
    if (rows.length < page) return after === 0 ? null : receipt.digest('hex')
  }
}

/** States which event carries the receipt of an act, in the transaction that writes the event. */
export async function closeAct(db: Database, { organization_id, act }: Act, eventId: string): Promise<void> {
  await db.query(
    `INSERT INTO audit_acts (organization_id, act, event_id) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id, act) DO UPDATE SET event_id = excluded.event_id`,
    [organization_id, act, eventId],
  )
}
