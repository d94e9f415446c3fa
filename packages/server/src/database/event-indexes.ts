import { codeOf } from '../flow/failures.ts'
import { holdForSession } from './locks.ts'
import type { Database } from './postgres/query.ts'
import type { Session } from './session.ts'

/**
 * The indexes of `events`. A migration creates them ON ONLY the parent table, in a moment, however many events there are.
 * Partitions that come later have them from the start. Those that were there get them one by one: a small one within the
 * migration, a large one by a job that keeps no writer waiting. An index of the parent is valid once all partitions have it.
 */
interface Missing {
  readonly index: string
  readonly partition: string
  /** The name of the partition's own index. */
  readonly name: string
  /** What follows the name of the table. */
  readonly definition: string
  /** False if an index of this name was interrupted while it was built. Null if there is none. */
  readonly is_whole: boolean | null
}

/** Bytes of a partition that is indexed within a moment. */
const small = 1024 * 1024
const anySize = Number.MAX_SAFE_INTEGER

const findMissing = `
  SELECT x.relname::text AS index, p.relname::text AS partition, n.name, own.indisvalid AS is_whole,
    regexp_replace(pg_get_indexdef(x.oid), '^.*? ON ONLY \\S+ ', '') AS definition
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  JOIN pg_inherits h ON h.inhparent = i.indrelid JOIN pg_class p ON p.oid = h.inhrelid
  CROSS JOIN LATERAL (SELECT p.relname || regexp_replace(x.relname, '^events', '') AS name) n
  LEFT JOIN pg_index own ON own.indrelid = p.oid AND own.indexrelid = to_regclass(quote_ident(n.name))
  WHERE i.indrelid = to_regclass('events') AND NOT i.indisvalid
    AND NOT EXISTS (SELECT 1 FROM pg_inherits a JOIN pg_index c ON c.indexrelid = a.inhrelid WHERE a.inhparent = x.oid AND c.indrelid = p.oid)
    AND pg_relation_size(p.oid) <= $1::bigint
  ORDER BY p.relname DESC, x.relname`

export async function lacksIndexes(db: Pick<Database, 'query'>): Promise<boolean> {
  return (await db.query(findMissing, [anySize])).length > 0
}

const findInvalid = `SELECT 1 FROM pg_index WHERE indrelid = to_regclass('events') AND NOT indisvalid`

/** Indexes the small partitions, in the transaction of the caller. Mostly there is nothing to do, which is found out first. */
export async function indexSmall(db: Pick<Database, 'query'>): Promise<void> {
  if ((await db.query(findInvalid)).length === 0) return
  for (const missing of await db.query<Missing>(findMissing, [small])) {
    for (const text of [...build(missing), attach(missing)]) await db.query(text, [], { prepare: false })
  }
}

/** Indexes all partitions while others write to them. Leaves it to another process that does so already. */
export async function indexAll(session: Session): Promise<void> {
  if (!(await holdForSession(session, 'event_indexes'))) return
  for (const missing of await session.query<Missing>(findMissing, [anySize])) {
    for (const text of build(missing, 'CONCURRENTLY')) await session.query(text, [], { prepare: false })
    await attachSoon(session, missing)
  }
}

function build({ name, partition, definition, is_whole }: Missing, how = ''): string[] {
  const create = `CREATE INDEX ${how} ${name} ON ${partition} ${definition}`
  if (is_whole) return []
  return is_whole === null ? [create] : [`DROP INDEX ${how} ${name}`, create]
}

function attach({ index, name }: Missing): string {
  return `ALTER INDEX ${index} ATTACH PARTITION ${name}`
}

const attempts = 20
const notInTime = '55P03'

/** It waits for readers of the partition, and others wait behind it: so it waits for moments only. */
async function attachSoon(session: Session, missing: Missing): Promise<void> {
  await session.query(`SET lock_timeout = '300ms'`)
  try {
    for (let attempt = 1; ; attempt++)
      try {
        await session.query(attach(missing), [], { prepare: false })
        return
      } catch (error) {
        if (codeOf(error) !== notInTime || attempt === attempts) throw error
        await session.query('SELECT pg_sleep(0.2)::text')
      }
  } finally {
    await session.query('RESET lock_timeout')
  }
}
