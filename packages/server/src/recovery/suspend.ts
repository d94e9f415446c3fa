import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../database/db.ts'
import { type LedgerKind, ledgerKinds, livingRows } from './kinds.ts'
import { nameIn } from './ledger/block.ts'
import type { OpenedLedger } from './open-ledger.ts'

interface Suspension {
  readonly organization_id: string
  readonly id: string
  readonly how: string
  readonly revoked_at: string
}

const page = 2000

/**
 * Suspends everything that the ledger names and that is in force again. Every page commits by itself, and a
 * suspended row is not in force, so this can be interrupted and repeated.
 */
export async function suspendRevoked(db: Database, ledger: OpenedLedger): Promise<void> {
  if (!ledger.has_revocations) return
  for (const kind of ledgerKinds)
    for await (const rows of readLiving(db, kind)) {
      const found = rows.flatMap(row => findRevoked(ledger, kind, row))
      await suspend(db, kind, found)
    }
}

interface Living {
  readonly organization_id: string
  readonly id: string
}

export async function* readLiving(db: Database, kind: LedgerKind): AsyncGenerator<Living[]> {
  for (let [organization_id, id] = ['', '']; ; await breathe()) {
    const rows = await db.query<Living>(
      `SELECT organization_id, ${kind.id} AS id FROM ${kind.table}
       WHERE (organization_id, ${kind.id}) > ($1, $2) AND ${livingRows(kind)} ORDER BY organization_id, ${kind.id} LIMIT ${page}`,
      [organization_id, id],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    ;({ organization_id, id } = last)
  }
}

function findRevoked(ledger: OpenedLedger, kind: LedgerKind, { organization_id, id }: Living): Suspension[] {
  const how = kind.suspends === 'secret' ? 'secret' : kind.kind === 'override' ? 'mode' : 'deleted'
  const name = nameIn(how, id)
  const revoked = ledger.revoked(organization_id, name)
  return revoked ? [{ organization_id, id, how: revoked.how, revoked_at: revoked.at }] : []
}

const given = `jsonb_to_recordset($1::jsonb) AS g(organization_id text, id text, how text, revoked_at timestamptz)`

export async function suspend(db: Database, kind: LedgerKind, found: readonly Suspension[]): Promise<void> {
  const noted = found.filter(({ how }) => how === 'noted')
  const suspended = found.filter(({ how }) => how !== 'noted')
  if (noted.length > 0) await note(db, kind, noted)
  if (suspended.length === 0) return
  await db.transaction(async inner => {
    await inner.query(statements[kind.suspends](kind), [suspended, kind.kind])
    if (kind.kind === 'member') await releaseCredentials(inner, suspended)
  })
}

const isGiven = (kind: LedgerKind) => `t.organization_id = g.organization_id AND t.${kind.id} = g.id`

/** What is suspended takes the place of what was only noted. */
const store = (
  held: string,
) => `INSERT INTO restore_suspensions (organization_id, kind, id, how, revoked_at, is_suspended, held)
  SELECT organization_id, $2, id, how, revoked_at, true, ${held} FROM t
  ON CONFLICT (organization_id, kind, id) DO UPDATE SET how = excluded.how, revoked_at = excluded.revoked_at, is_suspended = true, held = excluded.held`

const statements: { readonly [How in LedgerKind['suspends']]: (kind: LedgerKind) => string } = {
  flag: kind => `WITH t AS (
      UPDATE ${kind.table} t SET is_deleted = true ${kind.is_claimed ? ', is_claimed = false' : ''} FROM ${given}
      WHERE ${isGiven(kind)} AND NOT t.is_deleted RETURNING g.*) ${store('NULL')}`,
  secret:
    kind => `WITH before AS (SELECT g.*, encode(t.secret_hash, 'hex') AS secret_hash FROM ${kind.table} t JOIN ${given} ON ${isGiven(kind)}),
    emptied AS (UPDATE ${kind.table} t SET secret_hash = NULL FROM ${given} WHERE ${isGiven(kind)}),
    t AS (SELECT * FROM before WHERE secret_hash IS NOT NULL) ${store(`jsonb_build_object('secret_hash', secret_hash)`)}`,
  set_aside: kind => `WITH t AS (
      DELETE FROM ${kind.table} t USING ${given} WHERE ${isGiven(kind)} RETURNING g.*, to_jsonb(t.*) AS held) ${store('held')}`,
}

async function note(db: Database, { kind }: LedgerKind, noted: readonly Suspension[]): Promise<void> {
  await db.query(
    `INSERT INTO restore_suspensions (organization_id, kind, id, how, revoked_at, is_suspended)
     SELECT organization_id, $2, id, how, revoked_at, false FROM ${given} ON CONFLICT DO NOTHING`,
    [noted, kind],
  )
}

/** As when a member is deleted: nobody finds a PIN or card that is not claimed. */
async function releaseCredentials(db: Database, members: readonly Suspension[]): Promise<void> {
  for (const table of ['member_pins', 'member_cards'] as const)
    await db.query(
      `UPDATE ${table} t SET is_claimed = false FROM ${given} WHERE t.organization_id = g.organization_id AND t.member_id = g.id AND is_claimed`,
      [members],
    )
}
