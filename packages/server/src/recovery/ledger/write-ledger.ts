import { type AuditKey, deriveAuditKey } from '../../audit/keys.ts'
import type { Config } from '../../config/config.ts'
import type { Database, Pool } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock } from '../../flow/clock.ts'
import { present } from '../../flow/present.ts'
import { type Block, type Entry, type Erasure, entryOf, makeBlock, nameErased, readEntries } from './block.ts'
import { type CopyContext, copyLedger } from './copy-ledger.ts'
import { type Found, type Revocation, readRevocations } from './revocations.ts'

interface BeginContext {
  readonly db: Database
  readonly clock: Clock
  readonly feed: Pick<Feed, 'head'>
}

interface LedgerContext extends CopyContext, BeginContext {
  readonly db: Pool
  readonly config: Config
}

/** Entries of a block. Larger blocks would not fit into what `readTail` reads. */
const most = 1000

/**
 * Adds what was revoked since the last time to the ledger: first a signed block in the database, together
 * with the position of the feed that it reaches, then its copy in every folder. Whenever the process ends,
 * the next one goes on from that position and copies what is missing, so no revocation is left out.
 *
 * What the feed holds back because of a transaction that lasts, of this database or another, is told at once
 * as well: it is committed, and the machine may be lost before that transaction ends.
 */
export async function writeLedger(context: LedgerContext): Promise<void> {
  const head = await context.feed.head()
  while (await writeBlock(context, head));
  for (let after: string | undefined = head; after !== undefined; ) after = await tellEarly(context, after)
  await copyLedger(context)
}

/**
 * Begins the ledger of a database that has none, before the service changes anything: what was revoked earlier
 * is not told.
 */
export async function beginLedger({ db, clock, feed }: BeginContext): Promise<void> {
  // Finding the head takes longer than all else at a start.
  if ((await db.query('SELECT 1 FROM ledger_progress')).length > 0) return
  await db.query(
    'INSERT INTO ledger_progress (position, written_at) VALUES ($1, $2) ON CONFLICT (is_only) DO NOTHING',
    [await feed.head(), clock.now()],
  )
}

interface Progress {
  readonly position: string
  readonly written_at: string
}

/** Returns whether there is more to write. */
function writeBlock({ db, clock, config }: LedgerContext, head: string): Promise<boolean> {
  return db.transaction(async inner => {
    await holdLock(inner, 'ledger')
    const progress = await readProgress(inner)
    const { position: after } = progress
    const { revocations: found, last } = await readRevocations(inner, after, head, most)
    const key = deriveAuditKey(config.secret_keys[0])
    const revocations = await omitTold(inner, key, found)
    const through = last ?? head
    const erasures = await takeErasures(inner)
    const previous = await findPrevious(inner)
    const isDue = previous === null || isHourAgo(progress.written_at, clock.now())
    const isEmpty = revocations.length + erasures.length === 0
    const written_at = isEmpty && !isDue ? progress.written_at : clock.now()
    if (!isEmpty || isDue) {
      const told = { written_at, after, through, previous, revocations, erasures }
      await storeBlock(inner, makeBlock(key, told))
    }
    await storeProgress(inner, { position: through, written_at })
    return last !== undefined || erasures.length === most
  })
}

/** Tells what lies beyond what the feed has reached. Returns from where to go on, undefined at the end. */
function tellEarly({ db, clock, config }: LedgerContext, from: string): Promise<string | undefined> {
  return db.transaction(async inner => {
    await holdLock(inner, 'ledger')
    const { position } = await readProgress(inner)
    const { revocations: found, last } = await readMany(inner, from)
    const key = deriveAuditKey(config.secret_keys[0])
    const revocations = await omitTold(inner, key, found)
    const [written_at, previous] = [clock.now(), await findPrevious(inner)]
    const told = { written_at, after: position, through: position, previous, revocations, erasures: [] }
    if (revocations.length > 0) await storeBlock(inner, makeBlock(key, told))
    return last
  })
}

/** Reads on until a block is full or nothing is left: many small ones would push what was told out of those that are recent. */
async function readMany(db: Database, from: string): Promise<Found> {
  const revocations: Revocation[] = []
  let last: string | undefined = from
  do {
    const found = await readRevocations(db, last, undefined, most - revocations.length)
    revocations.push(...found.revocations)
    last = found.last
  } while (last !== undefined && revocations.length < most)
  return { revocations, last }
}

/** Recent blocks: a revocation that one of them told early is not told again when the feed reaches it. */
const recent = 60

async function omitTold(
  db: Database,
  key: AuditKey,
  found: readonly Revocation[],
): Promise<readonly Revocation[]> {
  if (found.length === 0) return found
  const rows = await db.query<{ document: string }>(
    `SELECT document FROM ledger_blocks ORDER BY number DESC LIMIT ${recent}`,
  )
  const told = new Set(rows.flatMap(({ document }) => readEntries(document)).map(identify))
  return found.filter(revocation => !told.has(identify(entryOf(key, revocation))))
}

/** What an edit means is read from the object, which may have changed since. */
function identify([_how, hash, at]: Entry): string {
  return `${hash} ${at}`
}

async function readProgress(db: Database): Promise<Progress> {
  const [progress] = await db.query<Progress>('SELECT position, written_at FROM ledger_progress')
  return present(progress, 'the beginning of the ledger')
}

function isHourAgo(then: string, now: string): boolean {
  return Math.abs(Temporal.Instant.from(then).until(now).total('hours')) >= 1
}

async function takeErasures(db: Database): Promise<Erasure[]> {
  const rows = await db.query<{ erased_in: string; member_id: string }>(
    `DELETE FROM ledger_erasures WHERE id IN (SELECT id FROM ledger_erasures ORDER BY id LIMIT ${most}) RETURNING erased_in, member_id`,
  )
  return rows.map(({ erased_in, member_id }) => ({ organization_id: erased_in, member_id }))
}

async function findPrevious(db: Database): Promise<Block['previous']> {
  const [row] = await db.query<{ hash: string }>(
    'SELECT hash FROM ledger_blocks ORDER BY number DESC LIMIT 1',
  )
  return row?.hash ?? null
}

async function storeBlock(
  db: Database,
  { hash, document }: { readonly hash: string; readonly document: string },
): Promise<void> {
  await db.query(
    `INSERT INTO ledger_blocks (number, hash, document)
     SELECT coalesce(max(number), 0) + 1, $1, $2 FROM ledger_blocks`,
    [hash, document],
  )
}

async function storeProgress(db: Database, { position, written_at }: Progress): Promise<void> {
  await db.query(
    `INSERT INTO ledger_progress (position, written_at) VALUES ($1, $2)
     ON CONFLICT (is_only) DO UPDATE SET position = excluded.position, written_at = excluded.written_at`,
    [position, written_at],
  )
}

interface Begun extends Erasure {
  readonly includes_cards: boolean
  readonly events: 'unlink' | 'delete'
}

/** Records that a member was erased, in the transaction that erases. No restore brings the member back. */
export async function noteErasure(
  db: Database,
  { organization_id, member_id, includes_cards, events }: Begun,
): Promise<void> {
  const names = [
    member_id,
    ...(includes_cards ? [nameErased('cards', member_id)] : []),
    ...(events === 'delete' ? [nameErased('events', member_id)] : []),
  ]
  await db.query('INSERT INTO ledger_erasures (erased_in, member_id) SELECT $1, unnest($2::text[])', [
    organization_id,
    names,
  ])
}
