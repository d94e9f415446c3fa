import { deriveAuditKey } from '../../audit/keys.ts'
import type { Config } from '../../config/config.ts'
import type { Database, Pool } from '../../database/db.ts'
import { holdLock } from '../../database/locks.ts'
import type { Feed } from '../../events/feed.ts'
import type { Clock } from '../../flow/clock.ts'
import { present } from '../../flow/present.ts'
import { type Block, type Erasure, makeBlock } from './block.ts'
import { type CopyContext, copyLedger } from './copy-ledger.ts'
import { readRevocations } from './revocations.ts'

interface LedgerContext extends CopyContext {
  readonly db: Pool
  readonly clock: Clock
  readonly feed: Pick<Feed, 'head'>
  readonly config: Config
}

/** Entries of a block. Larger blocks would not fit into what `readTail` reads. */
const most = 1000

/**
 * Adds what was revoked since the last time to the ledger: first a signed block in the database, together
 * with the position of the feed that it reaches, then its copy in every folder. Whenever the process ends,
 * the next one goes on from that position and copies what is missing, so no revocation is left out.
 */
export async function writeLedger(context: LedgerContext): Promise<void> {
  const head = await context.feed.head()
  while (await writeBlock(context, head));
  await copyLedger(context)
}

/**
 * Begins the ledger of a database that has none, before the service changes anything: what was revoked earlier
 * is not told.
 */
export async function beginLedger({ db, clock, feed }: LedgerContext): Promise<void> {
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
    const { revocations, last } = await readRevocations(inner, after, head, most)
    const through = last ?? head
    const erasures = await takeErasures(inner)
    const previous = await findPrevious(inner)
    const isDue = previous === null || isHourAgo(progress.written_at, clock.now())
    const isEmpty = revocations.length + erasures.length === 0
    const written_at = isEmpty && !isDue ? progress.written_at : clock.now()
    if (!isEmpty || isDue) {
      const told = { written_at, after, through, previous, revocations, erasures }
      await storeBlock(inner, makeBlock(deriveAuditKey(config.secret_keys[0]), told))
    }
    await storeProgress(inner, { position: through, written_at })
    return last !== undefined || erasures.length === most
  })
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

/** Records that a member was erased, in the transaction that erases. No restore brings the member back. */
export async function noteErasure(
  db: Database,
  { organization_id, member_id }: { readonly organization_id: string; readonly member_id: string },
): Promise<void> {
  await db.query('INSERT INTO ledger_erasures (erased_in, member_id) VALUES ($1, $2)', [
    organization_id,
    member_id,
  ])
}
