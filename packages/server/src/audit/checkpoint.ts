import type { Context } from '../context.ts'
import type { Database } from '../store/db.ts'
import { keepCheckpoint } from './checkpoint-files.ts'
import { checkpointKey, hashText } from './signing.ts'

/** Where the chains stood at a moment, signed. Each holds the hash of the one before, so none can be left out. */
export interface Checkpoint {
  readonly number: number
  readonly created_at: string
  /** Hash of the whole previous document; null in the first. */
  readonly previous: string | null
  /** The chains that grew since the last checkpoint. */
  readonly heads: { readonly [organization_id: string]: { readonly number: number; readonly hash: string } }
  readonly public_key: string
}

type Part = Pick<Context, 'db' | 'clock' | 'config'>

/**
 * Signs where the chains stand, unless nothing happened since the last time. Any number of processes may try: one does.
 * The file comes before the commit: a checkpoint that only the file has is written again, equal in what it says.
 */
export async function writeCheckpoint({ db, clock, config }: Part, gap = 0): Promise<boolean> {
  const key = checkpointKey(config.secret_keys[0] as Buffer)
  return db.transaction(async inner => {
    const [lock] = await inner.query<{ is_free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtext('gatehouse checkpoint')) AS is_free`,
    )
    const last = await findLast(inner)
    const now = clock.now()
    const isEarly = last && seconds(last.created_at, now) < gap
    const heads = lock?.is_free && !isEarly ? await takeHeads(inner) : {}
    if (Object.keys(heads).length === 0) return false
    const content = JSON.stringify({
      number: (last?.number ?? 0) + 1,
      created_at: now,
      previous: last ? hashText(last.document) : null,
      heads,
      public_key: key.public_key,
    } satisfies Checkpoint)
    const document = `${content}\n${key.sign(content)}\n`
    await store(inner, (last?.number ?? 0) + 1, now, document)
    if (config.checkpoint_dir) await keepCheckpoint(config.checkpoint_dir, (last?.number ?? 0) + 1, document)
    return true
  })
}

async function findLast(db: Database) {
  const [row] = await db.query<{ number: string; created_at: string; document: string }>(
    'SELECT number, created_at, document FROM audit_checkpoints ORDER BY number DESC LIMIT 1',
  )
  return row && { ...row, number: Number(row.number) }
}

function seconds(from: string, to: string): number {
  return Temporal.Instant.from(from).until(to).total('seconds')
}

async function takeHeads(db: Database): Promise<Checkpoint['heads']> {
  const rows = await db.query<{ organization_id: string; number: string; hash: Buffer }>(
    `UPDATE audit_heads SET checkpoint_number = number WHERE number > checkpoint_number
     RETURNING organization_id, number, hash`,
  )
  return Object.fromEntries(
    rows.map(({ organization_id, number, hash }) => [
      organization_id,
      { number: Number(number), hash: Buffer.from(hash).toString('hex') },
    ]),
  )
}

async function store(db: Database, number: number, now: string, document: string): Promise<void> {
  await db.query('INSERT INTO audit_checkpoints (number, created_at, document) VALUES ($1, $2, $3)', [
    number,
    now,
    document,
  ])
}
