import type { Database } from '../database/db.ts'
import type { AnchoredHead } from './anchor-file.ts'

const page = 1000

/** Yields the head of each chain at the last checkpoint, according to the database, in pages. */
export async function* readAnchored(db: Database): AsyncGenerator<AnchoredHead[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<{ organization_id: string; number: string; hash: Buffer }>(
      `SELECT h.organization_id, l.number, l.hash FROM audit_heads h
       JOIN audit_links l ON l.organization_id = h.organization_id AND l.number = h.checkpoint_number
       WHERE h.organization_id > $1 ORDER BY h.organization_id LIMIT $2`,
      [after, page],
    )
    if (rows.length > 0) yield rows.map(toHead)
    const last = rows.at(-1)
    if (!last || rows.length < page) return
    after = last.organization_id
  }
}

/** Returns the heads that the chains do not contain. */
export async function findLost(db: Database, heads: readonly AnchoredHead[]): Promise<AnchoredHead[]> {
  const lost: AnchoredHead[] = []
  for (let start = 0; start < heads.length; start += page) {
    const part = heads.slice(start, start + page)
    const there = new Set((await findLinks(db, part)).map(name))
    lost.push(...part.filter(head => !there.has(name(head))))
  }
  return lost
}

async function findLinks(db: Database, heads: readonly AnchoredHead[]): Promise<AnchoredHead[]> {
  const rows = await db.query<{ organization_id: string; number: string; hash: Buffer }>(
    `SELECT l.organization_id, l.number, l.hash FROM jsonb_to_recordset($1::jsonb) AS h(organization_id text, number bigint)
     JOIN audit_links l ON l.organization_id = h.organization_id AND l.number = h.number`,
    [heads.map(({ organization_id, number }) => ({ organization_id, number }))],
  )
  return rows.map(toHead)
}

/** Returns a key that identifies the head. */
export function name({ organization_id, number, hash }: AnchoredHead): string {
  return `${organization_id} ${number} ${hash}`
}

function toHead({
  organization_id,
  number,
  hash,
}: {
  organization_id: string
  number: string
  hash: Buffer
}): AnchoredHead {
  return { organization_id, number: Number(number), hash: Buffer.from(hash).toString('hex') }
}
