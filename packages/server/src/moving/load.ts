import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditKey } from '../audit/keys.ts'
import { DamagedError } from '../backup/archive/damaged-error.ts'
import type { Database } from '../database/db.ts'
import type { Session } from '../database/session.ts'
import { codeOf } from '../flow/failures.ts'
import type { Vault } from '../vault/vault.ts'
import type { About } from './about.ts'
import { inWholeRows, mapRows } from './copy-text.ts'
import { sealAmendments, sealSecrets, signDocuments } from './secrets.ts'
import { storeRows } from './tables.ts'

/**
 * Bytes of rows in one statement. Each is a transaction of its own, because a long one would hold back the
 * readers of the feed: webhooks, streams and controllers of everybody else.
 */
const batch = 512 * 1024

type TableInFile = About['tables'][number]

/** The keys of this installation, and whose signatures the file may bear. */
export interface Means {
  readonly vault: Vault
  readonly key: AuditKey
  readonly trusted: readonly string[]
}

/** Returns the rows of a table as they are stored here. */
export function turnRows(
  { vault, key, trusted }: Means,
  { name, columns }: TableInFile,
  content: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const change =
    name === 'audit_receipts' || name === 'audit_starts'
      ? signDocuments(key, trusted, columns)
      : name === 'audit_amendments'
        ? sealAmendments(key, columns)
        : sealSecrets(vault, name, columns)
  return change ? mapRows(content, change) : content
}

interface Loading {
  readonly session: Session
  readonly organization_id: string
  readonly table: TableInFile
}

/** Loads rows a batch at a time. Throws unless they are as many as the file says. */
export async function loadRows(
  loading: Loading,
  content: AsyncIterable<Uint8Array>,
  onRows: (count: number) => void,
): Promise<void> {
  let rows = 0
  for await (const part of inWholeRows(content, batch)) {
    const count = await copyPart(loading, part)
    rows += count
    onRows(count)
  }
  requireRows(loading, rows)
}

export function requireRows({ table: { name, rows }, organization_id }: Loading, found: number): void {
  if (found !== rows)
    throw new DamagedError(`it holds ${found} rows of ${name} that belong to ${organization_id}, not ${rows}`)
}

export function copyPart({ session, organization_id, table }: Loading, part: Buffer): Promise<number> {
  return session.copyIn(storeRows(table.name, table.columns, organization_id), once(part))
}

async function* once(part: Buffer): AsyncGenerator<Buffer> {
  yield part
}

const attempts = 20
const isLocked = '55P03'
/** Events of that month lie in the default partition already, and more can. */
const isTaken = '23514'

/** Creates the partition of a month. It waits for readers of the log only for moments, so that nobody waits behind it. */
export async function makeMonth(db: Database, month: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await db.transaction(async inner => {
        await inner.query(`SET LOCAL lock_timeout = '300ms'`)
        await inner.query('SELECT make_event_partition($1::date)', [month])
      })
      return
    } catch (error) {
      if (codeOf(error) === isTaken) return
      if (codeOf(error) !== isLocked || attempt === attempts) throw error
      await sleep(250)
    }
}
