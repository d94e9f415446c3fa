import { codeOf } from '../flow/failures.ts'
import type { Database } from './postgres/query.ts'

/**
 * All advisory locks that transactions take. The values are the lock keys in PostgreSQL, identical in every
 * process. (The lock that shows that a process is alive is held by a session: events/life.ts.)
 */
const locks = {
  migration: 'gatehouse migrate',
  event_indexes: 'gatehouse event indexes',
  service_keys: 'gatehouse service keys',
  demo: 'gatehouse demo',
  first_owner: 'gatehouse first owner',
  checkpoints: 'gatehouse checkpoint',
  ledger: 'gatehouse ledger',
  restore: 'gatehouse restore',
  import_of_organization: 'gatehouse import of',
  gadgets_of_device: 'gadgets of',
  inheritance_of_organization: 'group inheritance',
  emergencies_of_organization: 'emergencies of',
  jobs_of_organization: 'jobs of',
  mails_to_address: 'mail',
  messages_of_organization: 'messages of',
  retention_of_organization: 'retention of',
  grant: 'grant',
  idempotency_key: 'idempotency',
} as const
type LockName = keyof typeof locks

const notInTime = '55P03'

/** Waits for a lock of the whole service, or of the object named by `of`. Held until the transaction ends. */
export async function holdLock(db: Database, name: LockName, ...of: readonly string[]): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock(${keyOf(of)})`, [[locks[name], ...of].join(' ')])
}

/** Takes the lock only if it is free, and returns whether it did. */
export async function tryLock(db: Database, name: LockName, ...of: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ is_free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${keyOf(of)}) AS is_free`,
    [[locks[name], ...of].join(' ')],
  )
  return row?.is_free === true
}

/**
 * Takes the lock until the session ends, and returns whether it could. It queues for a moment: PostgreSQL needs
 * one to notice that a holder was killed, and whoever only tries the lock steps back behind those who wait.
 */
export async function holdForSession(
  session: Pick<Database, 'query'>,
  name: LockName,
  ...of: readonly string[]
): Promise<boolean> {
  await session.query(`SET lock_timeout = '3s'`)
  try {
    await session.query(`SELECT pg_advisory_lock(${keyOf(of)})`, [[locks[name], ...of].join(' ')])
    return true
  } catch (error) {
    if (codeOf(error) === notInTime) return false
    throw error
  } finally {
    await session.query('RESET lock_timeout')
  }
}

/**
 * Limits each wait for a lock in this transaction. While it waits, it holds up whoever waits for it, and the
 * feeds of all organizations.
 */
export async function limitWaits(db: Database, milliseconds: number): Promise<void> {
  await db.query(`SELECT set_config('lock_timeout', $1, true)`, [String(milliseconds)])
}

/** The few service-wide locks have 32-bit keys. Object locks are many: 64 bits avoid collisions. */
function keyOf(of: readonly string[]): string {
  return of.length === 0 ? 'hashtext($1)' : 'hashtextextended($1, 0)'
}
