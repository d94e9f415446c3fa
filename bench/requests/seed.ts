import type { Pool } from '../../packages/server/src/index.ts'

export const members = 10_000

/** Creates members with two emails and two groups each, so that expands have something to embed. */
export async function seed(db: Pool, organization_id: string): Promise<void> {
  for (const text of [insertMembers, insertEmails, insertGroups, insertAssociations])
    await db.query(text, [organization_id, members])
  for (const table of ['members', 'member_emails', 'member_groups', 'member_group_associations'])
    await db.query(`VACUUM ANALYZE ${table}`, [], { prepare: false })
}

export function memberId(index: number): string {
  return `mem_${String(index).padStart(20, '0')}`
}

const created = `timestamptz '2026-01-01T00:00:00.123456Z' + n * interval '1 minute'`

const insertMembers = `
  INSERT INTO members (id, organization_id, name, starts_at, ends_at, tag_ids, is_deleted, created_at, metadata, search_text)
  SELECT 'mem_' || lpad(n::text, 20, '0'), $1, 'Reservation R-' || n, ${created}, ${created} + interval '4 days', '{}', false,
    ${created}, jsonb_build_object('source', 'bench', 'sourceID', 'R-' || n), 'reservation r-' || n || E'\\n reservation r ' || n
  FROM generate_series(1, $2::integer) n`

const insertEmails = `
  INSERT INTO member_emails (id, organization_id, member_id, email, email_key, is_deleted, created_at, metadata, search_text)
  SELECT 'me_' || lpad(n::text, 20, '0'), $1, 'mem_' || lpad((n % $2 + 1)::text, 20, '0'), 'guest' || n || '@example.com',
    'guest' || n || '@example.com', false, ${created}, '{}', 'guest' || n || '@example.com'
  FROM generate_series(1, 2 * $2::integer) n`

const insertGroups = `
  INSERT INTO member_groups (id, organization_id, name, permissions, tag_ids, is_deleted, created_at, metadata, search_text)
  SELECT 'mg_' || lpad(n::text, 20, '0'), $1, 'Floor ' || n, '[]', '{}', false, ${created}, '{}', 'floor ' || n
  FROM generate_series(1, 20) n WHERE $2::integer > 0`

const insertAssociations = `
  INSERT INTO member_group_associations (id, organization_id, member_id, member_group_id, is_deleted, created_at, metadata)
  SELECT 'mga_' || lpad(n::text, 20, '0'), $1, 'mem_' || lpad((n % $2 + 1)::text, 20, '0'),
    'mg_' || lpad((n % 19 + 1)::text, 20, '0'), false, ${created}, '{}'
  FROM generate_series(1, 2 * $2::integer) n`
