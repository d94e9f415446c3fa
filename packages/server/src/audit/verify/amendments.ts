import { createHash, type Hash } from 'node:crypto'
import type { Database } from '../../database/db.ts'
import type { EventColumns } from '../../events/feed-event.ts'
import { type Amendment, amendmentText, beginReceipt, lineOf } from '../amendments/amendment.ts'
import { digestEvent } from '../chain.ts'
import { type AuditKeys, checkSeal } from '../keys.ts'
import type { Break } from './report.ts'

export interface Stored extends Amendment {
  readonly act: string
  readonly salt: Buffer | null
}

/** Returns the amendments of links, by number. */
export async function readAmendments(
  db: Database,
  id: string,
  after: number,
  through: number,
): Promise<Map<number, Stored[]>> {
  const rows = await db.query<Omit<Stored, 'number'> & { number: string }>(
    `SELECT act, number, kind, was_altered, salt, digest FROM audit_amendments
     WHERE organization_id = $1 AND number > $2 AND number <= $3 ORDER BY number`,
    [id, after, through],
  )
  return Map.groupBy(
    rows.map(row => ({ ...row, number: Number(row.number) })),
    ({ number }) => number,
  )
}

/** Returns the amendment that says what is left of an event. Others were overtaken by it, and have lost their salt. */
export function currentOf(amendments: readonly Stored[]): Stored | undefined {
  return amendments.find(({ kind }) => kind === 'deleted') ?? amendments.find(({ salt }) => salt !== null)
}

type Named = Pick<Break, 'event_id' | 'kind' | 'message'>

/** Returns what is wrong with an event that was amended, or undefined. */
export function checkAmended(
  { event_id, salt }: { readonly event_id: string; readonly salt: Buffer | null },
  event: EventColumns | undefined,
  amendments: readonly Stored[],
): Named | undefined {
  const current = currentOf(amendments)
  if (salt !== null)
    return { event_id, kind: 'amendment', message: `an amendment was added to event ${event_id}` }
  if (!current)
    return { event_id, kind: 'amendment', message: `the last amendment of event ${event_id} was removed` }
  if (amendments.some(({ was_altered }) => was_altered))
    return {
      event_id,
      kind: 'altered',
      message: `event ${event_id} was altered before its person was erased`,
    }
  if (current.kind === 'deleted' || (event && current.digest && isLeft(current, event))) return undefined
  return { event_id, kind: 'altered', message: `event ${event_id} was altered after its person was erased` }
}

function isLeft({ salt, digest }: Stored, event: EventColumns): boolean {
  return salt !== null && digest !== null && digestEvent(salt, event).equals(digest)
}

/** The receipts that the chain carries. */
export type Receipts = Map<string, { readonly number: number; readonly event_id: string }>

interface ActsReport {
  /** Amendments without a receipt, of acts that go on. Only their seals show who made them. */
  readonly open: number
  readonly first_break: Break | undefined
}

const page = 5000

/** Compares the amendments of every act with its receipt, and each with its seal. */
export async function verifyActs(
  db: Database,
  id: string,
  keys: AuditKeys | undefined,
  receipts: Receipts,
  links: number,
): Promise<ActsReport> {
  const unmatched = new Map(receipts)
  let [open, inAct] = [0, 0]
  let [act, number] = ['', 0]
  let receipt: Hash = createHash('sha256')
  const endAct = () => {
    if (inAct > 0 && !unmatched.delete(receipt.digest('hex'))) open += inAct
    inAct = 0
  }
  for (;;) {
    const rows = await db.query<Row>(
      `SELECT a.act, a.number, a.kind, a.was_altered, a.digest, a.seal, l.event_id FROM audit_amendments a
       LEFT JOIN audit_links l ON l.organization_id = a.organization_id AND l.number = a.number
       WHERE a.organization_id = $1 AND (a.act, a.number) > ($2, $3) ORDER BY a.act, a.number LIMIT ${page}`,
      [id, act, number],
    )
    for (const row of rows) {
      const amendment = { ...row, number: Number(row.number) }
      const wrong = checkMade(keys, id, amendment, links)
      if (wrong) return { open, first_break: wrong }
      if (row.act !== act) {
        endAct()
        act = row.act
        receipt = beginReceipt({ organization_id: id, act })
      }
      receipt.update(lineOf(amendment))
      number = amendment.number
      inAct++
    }
    if (rows.length < page) break
  }
  endAct()
  return { open, first_break: nameUnmatched(id, unmatched) }
}

interface Row {
  readonly act: string
  readonly number: string
  readonly kind: Amendment['kind']
  readonly was_altered: boolean
  readonly digest: Buffer | null
  readonly seal: Buffer
  readonly event_id: string | null
}

function checkMade(
  keys: AuditKeys | undefined,
  organization_id: string,
  { act, number, event_id, seal, ...rest }: Omit<Row, 'number'> & { readonly number: number },
  links: number,
): Break | undefined {
  const told = (what: string): Break => ({
    organization_id,
    number,
    event_id,
    kind: 'amendment',
    message: `an amendment of ${event_id === null ? `link ${number}` : `event ${event_id}`} ${what}`,
  })
  if (number > links) return told('was added: there is no such link')
  if (!keys) return undefined
  const text = amendmentText({ organization_id, act }, { number, ...rest })
  return checkSeal(keys, text, seal) === 'right' ? undefined : told('was not made by the service')
}

function nameUnmatched(organization_id: string, unmatched: Receipts): Break | undefined {
  const [first] = unmatched.values()
  if (!first) return undefined
  const { number, event_id } = first
  const message = `the receipt in event ${event_id} fits no amendments: one was added, altered or removed`
  return { organization_id, number, event_id, kind: 'amendment', message }
}
