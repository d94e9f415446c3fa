import type { Database } from '../../database/db.ts'
import type { Held } from './presence.ts'

/** Seconds. A process that has not renewed its lease for this long is dead, and so are its connections. */
const leaseLength = 20
/** Seconds for devices of a stopping process to reconnect elsewhere before they count as offline. */
const grace = 5

/** Protocol version. 2: marks another process's command before handing it over; skips it if taken back. */
export const spoken = 2

export async function renewLease(
  db: Database,
  process: string,
  seconds: number = leaseLength,
): Promise<void> {
  await db.query(
    `INSERT INTO device_processes (id, alive_until, speaks) VALUES ($1, now() + make_interval(secs => $2), $3)
     ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until`,
    [process, seconds, spoken],
  )
}

export function leaveLease(db: Database, process: string): Promise<void> {
  return renewLease(db, process, grace)
}

/** Finds the connections of dead processes. */
export function findOrphans(db: Database): Promise<Held[]> {
  return db.query<Held & object>(
    `SELECT c.organization_id, c.device_id, c.connection_id FROM device_connections c LEFT JOIN device_processes p ON p.id = c.process_id
     WHERE p.id IS NULL OR p.alive_until < now() LIMIT 1000`,
  )
}

export async function forgetDeadProcesses(db: Database): Promise<void> {
  await db.query(
    `DELETE FROM device_processes p WHERE alive_until < now() - interval '1 minute'
     AND NOT EXISTS (SELECT 1 FROM device_connections c WHERE c.process_id = p.id)`,
  )
}

/** Returns the connections that the database assigns to this process, by their id. */
export async function findOwn(db: Database, process: string): Promise<Map<string, Held>> {
  const rows = await db.query<Held & object>(
    'SELECT organization_id, device_id, connection_id FROM device_connections WHERE process_id = $1',
    [process],
  )
  return new Map(rows.map(row => [row.connection_id, row]))
}
