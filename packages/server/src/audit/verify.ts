import type { Database } from '../store/db.ts'
import { readCheckpoints } from './checkpoint-files.ts'
import { type Break, verifyChain } from './verify-chain.ts'
import { type KnownHeads, readHeads } from './verify-checkpoints.ts'

export interface AuditOptions {
  /** The public keys that checkpoints may be signed with. */
  readonly public_keys: readonly string[]
  readonly checkpoint_dir?: string | undefined
  readonly organization_id?: string | undefined
}

export interface AuditReport {
  readonly organizations: number
  readonly events: number
  /** Events whose salt is gone: their content can no longer be proven. */
  readonly erased: number
  readonly checkpoints: number
  /** The first break of each chain that has one. */
  readonly breaks: readonly Break[]
}

/** Checks every chain against its events and against the checkpoints of the database and of the folder. */
export async function verifyAudit(db: Database, options: AuditOptions): Promise<AuditReport> {
  const stored = await db.query<{ name: string; document: string }>(
    `SELECT 'checkpoint ' || number || ' of the database' AS name, document FROM audit_checkpoints ORDER BY number`,
  )
  const kept = options.checkpoint_dir ? await readCheckpoints(options.checkpoint_dir) : []
  const known: KnownHeads = new Map()
  const breaks: Break[] = [
    ...readHeads(stored, options.public_keys, known),
    ...readHeads(kept, options.public_keys, known),
  ]
  let [events, erased] = [0, 0]
  const ids = options.organization_id ? [options.organization_id] : await findChains(db, known)
  for (const id of ids) {
    const chain = await verifyChain(db, id, known.get(id) ?? [])
    events += chain.events
    erased += chain.erased
    if (chain.first_break) breaks.push(chain.first_break)
  }
  return { organizations: ids.length, events, erased, checkpoints: stored.length + kept.length, breaks }
}

/** Also those that only a checkpoint knows of. */
async function findChains(db: Database, known: KnownHeads): Promise<string[]> {
  const rows = await db.query<{ organization_id: string }>('SELECT organization_id FROM audit_heads')
  return [...new Set([...rows.map(row => row.organization_id), ...known.keys()])].sort()
}
