import type { Database } from '../database/db.ts'
import { holdings, isOfRows } from './holdings.ts'

export interface MemberKey {
  readonly organization_id: string
  readonly member_id: string
}

/** Rows of one statement. */
const batch = 200

const statements = Object.entries(holdings).flatMap(([table, holding]) => {
  if (!isOfRows(holding)) return []
  const { where, emptied, at_last = false, are_files = false } = holding
  const those = `ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${batch}))`
  const text = emptied
    ? `UPDATE ${table} SET ${emptied} WHERE ${those}`
    : `DELETE FROM ${table} WHERE ${those}`
  return [
    {
      at_last,
      are_files,
      text: `WITH done AS (${text} RETURNING 1) SELECT count(*)::integer AS count FROM done`,
      counts: `SELECT count(*)::integer AS count FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT 100000) AS held`,
    },
  ]
})

interface Erased {
  readonly objects: number
  readonly files: number
  readonly has_more: boolean
}

/**
 * Deletes or empties rows of a member, table by table, at most a batch of each and up to the first that has more. `at_last`: also
 * those by which devices are told. A row that somebody else is changing is passed over, because it is another one afterwards.
 */
export async function eraseRows(
  db: Database,
  { organization_id, member_id }: MemberKey,
  at_last: boolean,
): Promise<Erased> {
  let [objects, files] = [0, 0]
  for (const statement of statements) {
    if (statement.at_last && !at_last) continue
    const [row] = await db.query<{ count: number }>(statement.text, [organization_id, member_id])
    const count = row?.count ?? 0
    if (statement.are_files) files += count
    else objects += count
    if (count === batch) return { objects, files, has_more: true }
  }
  return { objects, files, has_more: false }
}

export async function countRows(
  db: Database,
  { organization_id, member_id }: MemberKey,
  at_last = true,
): Promise<Pick<Erased, 'objects' | 'files'>> {
  let [objects, files] = [0, 0]
  for (const { counts, are_files, at_last: isLast } of statements) {
    if (isLast && !at_last) continue
    const [row] = await db.query<{ count: number }>(counts, [organization_id, member_id])
    const count = row?.count ?? 0
    if (are_files) files += count
    else objects += count
  }
  return { objects, files }
}
