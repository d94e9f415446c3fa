import type { Database } from './postgres/query.ts'

/**
 * Every advisory lock that a transaction takes, by what must not happen twice at once; the values are their keys in
 * PostgreSQL, the same in every process. (The lock by which a process is known to live is held by a session: events/life.ts.)
 */
const locks = {
  migration: 'gatehouse migrate',
  service_keys: 'gatehouse service keys',
  demo: 'gatehouse demo',
  checkpoints: 'gatehouse checkpoint',
  gadgets_of_device: 'gadgets of',
  inheritance_of_organization: 'group inheritance',
  mails_to_address: 'mail',
  grant: 'grant',
  idempotency_key: 'idempotency',
} as const
type LockName = keyof typeof locks

/** Waits for a lock of the whole service, or of what is named; it is held until the transaction ends. */
export async function holdLock(db: Database, name: LockName, ...of: readonly string[]): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(${keyOf(of)})`, [[locks[name], ...of].join(' ')])
}

/** Takes the lock only if nobody has it; returns whether it did. */
export async function tryLock(db: Database, name: LockName, ...of: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ is_free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${keyOf(of)}) AS is_free`,
    [[locks[name], ...of].join(' ')],
  )
  return row?.is_free === true
}

/** The few that are of the whole service have 32 bits; what is of one of many needs more, so as not to meet by chance. */
function keyOf(of: readonly string[]): string {
  return of.length === 0 ? 'hashtext($1)' : 'hashtextextended($1, 0)'
}
