import type { Pool } from '@gatehouse-access/server'
import { expect } from 'vitest'
import type { Ledger } from './writer.ts'

const kinds = {
  members: 'member',
  member_emails: 'member_email',
  member_pins: 'member_pin',
  member_magic_links: 'member_magic_link',
}

/** Expects that every acknowledged write is present. */
export async function expectAcknowledged(db: Pool, ledger: Ledger): Promise<void> {
  const rows = await db.query<{ id: string; name: string; is_deleted: boolean; metadata: object }>(
    'SELECT id, name, is_deleted, metadata FROM members',
  )
  const members = new Map(rows.map(row => [row.id, row]))
  const lost = [...ledger.created].filter(([name, id]) => members.get(id)?.name !== name)
  expect(lost).toEqual([])
  expect(ledger.edited.filter(({ id, key }) => !(key in (members.get(id)?.metadata ?? {})))).toEqual([])
  expect([...ledger.deleted].filter(id => !members.get(id)?.is_deleted)).toEqual([])
  const report = [
    `${ledger.created.size} created`,
    `${ledger.edited.length} edited`,
    `${ledger.deleted.size} deleted`,
    `${ledger.refused.size} refused`,
    ...(['unanswered', 'unavailable'] as const).map(
      fate =>
        `${ledger[fate].size} ${fate} (${rows.filter(({ name }) => ledger[fate].has(name)).length} there)`,
    ),
  ]
  process.stdout.write(`${report.join(', ')}\n`)
}

/** Expects that every row has its events, and every event its row. */
export async function expectWhole(db: Pool): Promise<void> {
  for (const [table, kind] of Object.entries(kinds))
    for (const [verb, rows] of [
      ['create', `SELECT id, 1 AS due FROM ${table}`],
      ['delete', `SELECT id, is_deleted::integer AS due FROM ${table}`],
    ])
      expect({ table, verb, odd: await compareWithEvents(db, kind, verb as string, rows as string) }).toEqual(
        {
          table,
          verb,
          odd: [],
        },
      )
  const edits = 'SELECT id, (SELECT count(*) FROM jsonb_object_keys(metadata)) AS due FROM members'
  expect(await compareWithEvents(db, 'member', 'edit', edits)).toEqual([])
}

function compareWithEvents(db: Pool, kind: string, verb: string, rows: string): Promise<object[]> {
  return db.query(
    `SELECT id, due, told FROM (${rows}) stored FULL JOIN
       (SELECT object->>'${kind}_id' AS id, count(*) AS told FROM events WHERE verb = $1 AND object->>'type' = $2 GROUP BY 1) log
     USING (id) WHERE due IS NULL OR due <> coalesce(told, 0)`,
    [verb, kind],
  )
}

/**
 * Expects one object for a repeated request, none for an invalid request, and at most one for an unanswered
 * request.
 */
export async function expectSettled(db: Pool, ledger: Ledger): Promise<void> {
  const rows = await db.query<{ name: string; count: number }>(
    'SELECT name, count(*)::integer AS count FROM members GROUP BY name',
  )
  const counts = new Map(rows.map(({ name, count }) => [name, count]))
  expect([...ledger.keyed].filter(name => counts.get(name) !== 1)).toEqual([])
  expect([...ledger.refused].filter(name => counts.has(name))).toEqual([])
  expect(rows.filter(({ count }) => count > 1)).toEqual([])
}
