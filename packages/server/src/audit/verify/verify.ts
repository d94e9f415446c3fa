import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SecretKeys } from '../../config/secret-key.ts'
import type { Database } from '../../database/db.ts'
import { anchorPath, readAnchor } from '../anchor-file.ts'
import { readCheckpoint, readCheckpoints } from '../checkpoint-files.ts'
import { readClosings } from '../closings.ts'
import { loadAuditKeys, publicKeys } from '../keys.ts'
import { type ChainReport, verifyChain } from './chain.ts'
import { broken, KnownHeads, readAnchorHeads, readHeads } from './checkpoints.ts'
import { verifyClosing } from './closing.ts'
import type { Break } from './report.ts'

export interface AuditOptions {
  /** The service keys. Without them, only signatures can be checked, not the seals of the links. */
  readonly secret_keys?: SecretKeys | undefined
  /** Trusted public keys, in addition to those derived from the service keys. */
  readonly public_keys?: readonly string[] | undefined
  /** Checkpoint folders or single checkpoint or anchor files, wherever they were kept. */
  readonly anchors?: readonly string[] | undefined
  readonly organization_id?: string | undefined
}

export interface AuditReport {
  readonly organizations: number
  readonly events: number
  /** Events that were emptied or deleted on request. */
  readonly erased: number
  /** Events that were deleted because their time was over. */
  readonly expired: number
  /** Events that lost a person and stayed. */
  readonly amended: number
  /** Amendments of erasures that go on. Without the service key, nothing proves them yet. */
  readonly unreceipted: number
  readonly checkpoints: number
  /** Whether the seals of the links were checked. */
  readonly seals: boolean
  /** Organizations whose chain ended with a purge. */
  readonly purged: readonly { readonly organization_id: string; readonly purged_at: string }[]
  /** The first break of each chain that has one. */
  readonly breaks: readonly Break[]
}

/** Checks every chain against its events, and both against the checkpoints in the database and elsewhere. */
export async function verifyAudit(db: Database, options: AuditOptions): Promise<AuditReport> {
  const keys = options.secret_keys && (await loadAuditKeys(db, options.secret_keys))
  const trusted = [...(options.public_keys ?? []), ...publicKeys(keys ?? [])]
  const known = new KnownHeads()
  const { checkpoints, breaks } = await readEverySource(db, trusted, known, options.anchors ?? [])
  const closings = new Map((await readClosings(db, trusted)).map(({ id, closing }) => [id, closing]))
  const purged: { organization_id: string; purged_at: string }[] = []
  const chains: ChainReport[] = []
  const ids = options.organization_id
    ? [options.organization_id]
    : await findChains(db, [...known.organizations(), ...closings.keys()])
  for (const id of ids) {
    if (closings.has(id)) {
      const closing = closings.get(id)
      if (closing) purged.push({ organization_id: id, purged_at: closing.purged_at })
      breaks.push(...(await verifyClosing(db, id, closing, known.of(id))))
      continue
    }
    const chain = await verifyChain(db, id, known.of(id), { keys, trusted })
    chains.push(chain)
    if (chain.first_break) breaks.push(chain.first_break)
  }
  const sum = (name: keyof Omit<ChainReport, 'first_break'>) =>
    chains.reduce((total, chain) => total + chain[name], 0)
  return {
    organizations: ids.length,
    events: sum('events'),
    erased: sum('erased'),
    expired: sum('expired'),
    amended: sum('amended'),
    unreceipted: sum('unreceipted'),
    checkpoints,
    seals: keys !== undefined,
    purged,
    breaks,
  }
}

interface Sources {
  readonly checkpoints: number
  readonly breaks: Break[]
}

async function readEverySource(
  db: Database,
  trusted: readonly string[],
  known: KnownHeads,
  anchors: readonly string[],
): Promise<Sources> {
  const stored = await db.query<{ name: string; document: string }>(
    `SELECT 'checkpoint ' || number || ' of the database' AS name, document FROM audit_checkpoints ORDER BY number`,
  )
  const breaks = readHeads(stored, trusted, known)
  let checkpoints = stored.length
  for (const path of anchors) {
    const found = await readSource(path, trusted, known)
    checkpoints += found.checkpoints
    breaks.push(...found.breaks)
  }
  return { checkpoints, breaks }
}

async function readSource(path: string, trusted: readonly string[], known: KnownHeads): Promise<Sources> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return { checkpoints: 0, breaks: [broken(path, 'does not exist')] }
  const isAnchor = found.isDirectory() || basename(path).startsWith('anchor')
  const kept = found.isDirectory()
    ? await readCheckpoints(path)
    : isAnchor
      ? []
      : [await readCheckpoint(path)]
  const breaks = readHeads(kept, trusted, known)
  if (isAnchor)
    breaks.push(...(await readAnchorSource(found.isDirectory() ? anchorPath(path) : path, trusted, known)))
  return { checkpoints: kept.length, breaks }
}

async function readAnchorSource(
  path: string,
  trusted: readonly string[],
  known: KnownHeads,
): Promise<Break[]> {
  try {
    const anchor = await readAnchor(path)
    return anchor ? readAnchorHeads(anchor, trusted, known) : []
  } catch {
    return [broken(path, 'is damaged or forged')]
  }
}

/** Includes chains that only a checkpoint or closing names. */
async function findChains(db: Database, others: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ organization_id: string }>('SELECT organization_id FROM audit_heads')
  return [...new Set([...rows.map(row => row.organization_id), ...others])].sort()
}
