import { existsSync } from 'node:fs'
import { resources } from '@gatehouse-access/api'
import type { Database } from '../database/db.ts'
import { holdLock } from '../database/locks.ts'
import type { EventColumns } from '../events/feed-event.ts'
import { selectList } from '../store/columns.ts'
import { anchorPath } from './anchor-file.ts'
import type { AuditContext } from './context.ts'
import { type AuditKey, deriveAuditKey, originText, seal } from './keys.ts'
import { hashLeft, storeReceipt } from './receipts.ts'

interface Head {
  readonly organization_id: string
  readonly number: string
  readonly hash: Buffer
}

/**
 * Runs once, after the upgrade from a release without seals: records up to which link each chain is unsealed.
 * From then on an anchor outside the database prevents a second run, whatever the database claims.
 */
export async function sealOrigins({ db, clock, config, audit }: AuditContext): Promise<void> {
  const key = deriveAuditKey(config.secret_keys[0])
  const anchor = config.checkpoint_dirs.map(anchorPath).find(path => existsSync(path))
  await db.transaction(async inner => {
    await inner.query('SET LOCAL statement_timeout = 0')
    await holdLock(inner, 'checkpoints')
    const heads = await findUnsealed(inner)
    if (heads.length === 0) return
    if (anchor)
      return audit.raise(
        `the chain of ${heads[0]?.organization_id} has no seals, although ${anchor} is from a time when it had: it was rewritten.`,
      )
    for (const head of heads) await storeOrigin(inner, key, head)
    await writeReceipts(inner, key, clock.now())
  })
}

function findUnsealed(db: Database): Promise<Head[]> {
  return db.query<Head>(
    `SELECT h.organization_id, h.number, h.hash FROM audit_heads h
     JOIN audit_links l ON l.organization_id = h.organization_id AND l.number = h.number
     WHERE l.seal IS NULL AND NOT EXISTS (SELECT 1 FROM audit_origins o WHERE o.organization_id = h.organization_id)`,
  )
}

/** States that this service vouches for all links up to this one, whoever sealed them. */
export async function storeOrigin(
  db: Pick<Database, 'query'>,
  key: AuditKey,
  { organization_id, number, hash }: Omit<Head, 'number'> & { readonly number: string | number },
): Promise<void> {
  const text = originText(organization_id, Number(number), Buffer.from(hash))
  await db.query('INSERT INTO audit_origins (organization_id, number, hash, seal) VALUES ($1, $2, $3, $4)', [
    organization_id,
    number,
    hash,
    seal(key, text),
  ])
}

/** Covers salts that were removed without a receipt, so that what is left of their events is protected. */
async function writeReceipts(db: Database, key: AuditKey, now: string): Promise<void> {
  const links = await db.query<{ organization_id: string; number: string; event_id: string; hash: Buffer }>(
    'SELECT organization_id, number, event_id, hash FROM audit_links WHERE salt IS NULL AND seal IS NULL',
  )
  for (const { organization_id, number, event_id, hash } of links) {
    const [event] = await db.query<EventColumns>(
      `SELECT ${selectList(resources.event)} FROM events t WHERE t.organization_id = $1 AND t.id = $2`,
      [organization_id, event_id],
    )
    await storeReceipt(db, key.signing, {
      erased: event_id,
      organization_id,
      number: Number(number),
      hash: Buffer.from(hash).toString('hex'),
      left: hashLeft(event ?? {}),
      erased_at: now,
      by: 'unknown',
      reason: 'erased before receipts were kept',
    })
  }
}
