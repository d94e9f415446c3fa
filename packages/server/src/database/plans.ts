import type { Database } from './db.ts'

/**
 * Has PostgreSQL keep one plan of each statement, whatever its parameters, for the rest of a transaction or until `planUsually`. Where a
 * table has many indexes, as `events` has, making a plan takes longer than what a short statement does. Connections that prepare no
 * statements could not keep it, and it would be made for every partition.
 */
export async function planOnce(db: Database): Promise<void> {
  await db.query(
    `SELECT set_config('plan_cache_mode', 'force_generic_plan', true) WHERE EXISTS (SELECT 1 FROM pg_prepared_statements)`,
  )
}

export async function planUsually(db: Database): Promise<void> {
  await db.query('SET LOCAL plan_cache_mode TO DEFAULT')
}
