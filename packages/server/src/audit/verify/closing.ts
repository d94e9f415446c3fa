import type { Database } from '../../database/db.ts'
import type { Closing } from '../closings.ts'
import type { Break, KnownHead } from './report.ts'

/** Checks a purged organization: no data may be left, and no known head may lie beyond the closing. */
export async function verifyClosing(
  db: Database,
  id: string,
  closing: Closing | undefined,
  heads: readonly KnownHead[],
): Promise<Break[]> {
  if (!closing)
    return [told(id, null, 'the closing of this purged organization was not signed by the service')]
  const beyond = heads.find(({ number }) => number > closing.number)
  if (beyond)
    return [
      told(
        id,
        beyond.number,
        `${beyond.source} knows ${beyond.number} links, the closing only ${closing.number}`,
      ),
    ]
  const other = heads.find(({ number, hash }) => number === closing.number && hash !== closing.hash)
  if (other) return [told(id, other.number, `${other.source} and the closing know different last links`)]
  return (await hasRest(db, id))
    ? [told(id, null, `there are events, although the organization was purged on ${closing.purged_at}`)]
    : []
}

/** Ignores data of a purge that is still in progress. */
async function hasRest(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM organization_deletions WHERE organization_id = $1)
     AND (EXISTS (SELECT 1 FROM audit_links WHERE organization_id = $1) OR EXISTS (SELECT 1 FROM events WHERE organization_id = $1))`,
    [id],
  )
  return rows.length > 0
}

function told(organization_id: string, number: number | null, message: string): Break {
  return { organization_id, number, event_id: null, kind: 'closing', message }
}
