import { resources } from '@gatehouse-access/api'
import type { Database } from '../../database/db.ts'
import type { EventColumns } from '../../events/feed-event.ts'
import { isLater, parsePosition } from '../../events/position.ts'
import { asOfOneMoment } from '../../policy/load.ts'
import { selectList } from '../../store/columns.ts'
import { isRetention } from '../amendments/amendment.ts'
import { readStart } from '../amendments/start.ts'
import { digestEvent, firstHash, nextHash } from '../chain.ts'
import type { AuditKeys } from '../keys.ts'
import { checkReceipt } from '../receipts.ts'
import {
  checkAmended,
  currentOf,
  type Receipts,
  readAmendments,
  type Stored,
  verifyActs,
} from './amendments.ts'
import type { Break, KnownHead } from './report.ts'
import { checkOrigin, headOf, loadOrigin, nameSeal } from './seal.ts'

/** The keys that a chain is checked with. */
interface Means {
  /** Seals are not checked if undefined. */
  readonly keys: AuditKeys | undefined
  readonly trusted: readonly string[]
}

export interface ChainReport {
  readonly events: number
  /** Events that are empty or gone, because somebody had them erased. */
  readonly erased: number
  /** Events that are gone because their time was over. */
  readonly expired: number
  /** Events that lost a person. */
  readonly amended: number
  /** Amendments whose receipt is not in the chain yet. */
  readonly unreceipted: number
  readonly first_break: Break | undefined
}

interface Link {
  readonly number: string
  readonly event_id: string
  readonly salt: Buffer | null
  readonly digest: Buffer
  readonly hash: Buffer
  readonly seal: Buffer | null
}

export type ReadEvent = EventColumns & { readonly position: string }

const page = 2000

/**
 * Compares the events and links of one organization in feed order, up to the first break. A break is looked for again: erasures
 * and retention go on between the pages, and what only they have moved is in order the next time.
 */
export async function verifyChain(
  db: Database,
  organizationId: string,
  known: readonly KnownHead[],
  means: Means,
): Promise<ChainReport> {
  const first = await verifyOnce(db, organizationId, known, means)
  return first.first_break ? verifyOnce(db, organizationId, known, means) : first
}

async function verifyOnce(
  db: Database,
  organizationId: string,
  known: readonly KnownHead[],
  means: Means,
): Promise<ChainReport> {
  const tally = new Tally()
  const first_break = await findBreak(db, organizationId, known, means, tally)
  return { ...tally, first_break }
}

class Tally {
  events = 0
  erased = 0
  expired = 0
  amended = 0
  unreceipted = 0

  count({ salt }: Link, amendment: Stored | undefined): void {
    this.events++
    if (salt !== null) return
    if (amendment?.kind === 'unlinked') this.amended++
    else if (amendment && isRetention(amendment.act)) this.expired++
    else this.erased++
  }
}

async function findBreak(
  db: Database,
  organizationId: string,
  known: readonly KnownHead[],
  means: Means,
  tally: Tally,
): Promise<Break | undefined> {
  const origin = await loadOrigin(db, organizationId)
  const wrong = checkOrigin(means.keys, organizationId, origin)
  if (wrong) return badOrigin(organizationId, wrong)
  const { start, is_signed } = await readStart(db, organizationId, means.trusted)
  if (!is_signed) return badStart(organizationId)
  const heads = origin ? [...known, headOf(origin)] : known
  const expected = Map.groupBy(heads, head => head.number)
  const receipts: Receipts = new Map()
  let hash = start ? Buffer.from(start.hash, 'hex') : firstHash(organizationId)
  let [count, after] = [start?.number ?? 0, start?.position ?? '0.0.0']
  tally.expired = count
  for (;;) {
    const { links, amendments, events } = await readPage(db, organizationId, count, after)
    if (links.length === 0) break
    let index = 0
    for (const link of links) {
      const number = count + 1
      const event = isGone(amendments, link) ? undefined : events[index++]
      const amended = amendments.get(number)
      const wrong = await checkOne(db, means, organizationId, { link, number, event, hash, origin, amended })
      if (wrong) return { organization_id: organizationId, number, ...wrong }
      hash = Buffer.from(link.hash)
      count = number
      tally.count(link, amended && currentOf(amended))
      const receipt = event?.object.receipt_hash
      if (receipt) receipts.set(receipt, { number, event_id: link.event_id })
      const mismatch = contradiction(organizationId, expected.get(number) ?? [], hash)
      if (mismatch) return mismatch
    }
    after = events.at(-1)?.position ?? after
  }
  const cut = cutTail(organizationId, heads, count)
  if (cut) return cut
  const acts = await verifyActs(db, organizationId, means.keys, receipts, count)
  tally.unreceipted = acts.open
  return acts.first_break
}

/** Reads as of one moment: an erasure that goes on meanwhile changes link, event and amendment together. */
function readPage(db: Database, organizationId: string, count: number, after: string) {
  return asOfOneMoment(db, async inner => {
    const links = await readLinks(inner, organizationId, count)
    const amendments = await readAmendments(inner, organizationId, count, count + links.length)
    const lasting = links.filter(link => !isGone(amendments, link)).length
    const events = await readEvents(inner, organizationId, after, lasting)
    return { links, amendments, events }
  })
}

function isGone(amendments: Map<number, Stored[]>, { number }: Link): boolean {
  return amendments.get(Number(number))?.some(isDeletion) ?? false
}

function isDeletion({ kind }: Stored): boolean {
  return kind === 'deleted'
}

interface Checked {
  readonly link: Link
  readonly number: number
  readonly event: ReadEvent | undefined
  /** Of the link before. */
  readonly hash: Buffer
  readonly origin: Awaited<ReturnType<typeof loadOrigin>>
  readonly amended: readonly Stored[] | undefined
}

/** Returns undefined if the link is valid, and fits the event or what is left of it. */
async function checkOne(
  db: Database,
  means: Means,
  id: string,
  { link, number, event, hash, origin, amended }: Checked,
): Promise<Named | undefined> {
  const found = checkLink(link, number, event, hash, amended)
  if (found) return nameBreak(db, id, found, link, event)
  const unsealed = nameSeal(means.keys, id, link, origin)
  if (unsealed) return unsealed
  return amended ? checkAmended(link, event, amended) : nameErasure(db, means, id, link, event)
}

function badStart(organization_id: string): Break {
  const message = 'the statement of where the chain begins was not signed by the service'
  return { organization_id, number: null, event_id: null, kind: 'start', message }
}

function badOrigin(organization_id: string, message: string): Break {
  return { organization_id, number: null, event_id: null, kind: 'seal', message }
}

/** What is left of an amended event is checked against its amendment. */
function checkLink(
  link: Link,
  number: number,
  event: ReadEvent | undefined,
  previous: Buffer,
  amended: readonly Stored[] | undefined,
): Break['kind'] | undefined {
  const expected = nextHash(previous, number, link.event_id, link.digest)
  if (Number(link.number) !== number || !expected.equals(link.hash)) return 'link'
  if (amended?.some(isDeletion)) return undefined
  if (event?.id !== link.event_id) return 'removed'
  return link.salt === null || amended || digestEvent(link.salt, event).equals(link.digest)
    ? undefined
    : 'altered'
}

type Named = Pick<Break, 'event_id' | 'kind' | 'message'>

/** Determines why the chain does not continue with the expected event. */
async function nameBreak(
  db: Database,
  id: string,
  found: Break['kind'],
  link: Link,
  event: ReadEvent | undefined,
): Promise<Named> {
  const { event_id } = link
  if (found === 'altered') return { event_id, kind: 'altered', message: `event ${event_id} was altered` }
  if (found === 'link')
    return {
      event_id,
      kind: 'link',
      message: `the link of event ${event_id} was altered or one before it removed`,
    }
  const exists = await has(db, findsEvent, id, event_id)
  if (!exists) return { event_id, kind: 'removed', message: `event ${event_id} was removed` }
  const stranger = String(event?.id)
  const isSealed = await has(db, findsLink, id, stranger)
  return isSealed
    ? { event_id, kind: 'reordered', message: `event ${event_id} was moved: ${stranger} is in its place` }
    : { event_id: stranger, kind: 'inserted', message: `event ${stranger} was inserted before ${event_id}` }
}

async function nameErasure(
  db: Database,
  { trusted }: Means,
  id: string,
  { number, event_id, salt, hash }: Link,
  event: ReadEvent | undefined,
): Promise<Named | undefined> {
  if (salt !== null || !event) return undefined
  const message = await checkReceipt(db, trusted, id, { number: Number(number), event_id, hash }, event)
  return message === undefined ? undefined : { event_id, kind: 'receipt', message }
}

const findsEvent = 'SELECT 1 FROM events WHERE organization_id = $1 AND id = $2 LIMIT 1'
const findsLink = 'SELECT 1 FROM audit_links WHERE organization_id = $1 AND event_id = $2 LIMIT 1'

async function has(
  db: Database,
  statement: typeof findsEvent | typeof findsLink,
  ...params: string[]
): Promise<boolean> {
  return (await db.query(statement, params)).length > 0
}

function contradiction(id: string, heads: readonly KnownHead[], hash: Buffer): Break | undefined {
  const head = heads.find(known => known.hash !== hash.toString('hex'))
  if (!head) return undefined
  const message = `the chain was rewritten: ${head.source} knows another hash of link ${head.number}`
  return { organization_id: id, number: head.number, event_id: null, kind: 'checkpoint', message }
}

function cutTail(id: string, heads: readonly KnownHead[], count: number): Break | undefined {
  const head = heads.find(({ number }) => number > count)
  if (!head) return undefined
  const message = `the end is missing: ${head.source} knows ${head.number} links, there are ${count}`
  return { organization_id: id, number: count + 1, event_id: null, kind: 'cut', message }
}

function readLinks(db: Database, id: string, after: number): Promise<Link[]> {
  return db.query<Link>(
    'SELECT number, event_id, salt, digest, hash, seal FROM audit_links WHERE organization_id = $1 AND number > $2 ORDER BY number LIMIT $3',
    [id, after, page],
  )
}

/** The first three parameters are the position, as for `isLater`. */
export const verifyStatement = `SELECT ${selectList(resources.event)}, t.epoch || '.' || t.transaction_id || '.' || t.sequence AS position FROM events t
     WHERE t.organization_id = $4 AND ${isLater}
     ORDER BY t.epoch, t.transaction_id, t.sequence LIMIT $5`

export function readEvents(db: Database, id: string, after: string, limit: number): Promise<ReadEvent[]> {
  const { epoch, transaction_id, sequence } = parsePosition(after)
  return db.query<ReadEvent>(verifyStatement, [epoch, transaction_id, sequence, id, limit])
}
