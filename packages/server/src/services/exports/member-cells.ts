import type { Database, Row } from '../../database/db.ts'

/** What a row of members tells of their groups, tags and credentials, as an import reads it. */
export const memberColumns = ['email', 'groups', 'card_uid', 'card_printed_code', 'tags'] as const
export type MemberColumn = (typeof memberColumns)[number]

/** The columns of members in an export, in their order. Metadata follows. Secrets have none. */
export const plainMemberColumns = [
  'id',
  'external_id',
  'name',
  'email',
  'groups',
  'starts_at',
  'ends_at',
  'language',
  'card_uid',
  'card_printed_code',
  'tags',
  'is_deleted',
  'created_at',
] as const

interface Cell {
  readonly member_id: string
  readonly column: MemberColumn
  readonly value: string
}

/** Names that are not enough to find a group or a tag. */
export interface Ambiguous {
  readonly member_groups: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

export async function findAmbiguous(db: Database, organization_id: string): Promise<Ambiguous> {
  const find = async (table: 'member_groups' | 'tags') => {
    const rows = await db.query<{ name: string }>(
      `SELECT split_part(search_text, E'\\n', 1) AS name FROM ${table} WHERE organization_id = $1 AND NOT is_deleted GROUP BY 1 HAVING count(*) > 1`,
      [organization_id],
    )
    return new Set(rows.map(({ name }) => name))
  }
  return { member_groups: await find('member_groups'), tags: await find('tags') }
}

interface Named {
  readonly of: string
  readonly id: string
  readonly name: string
}

/** Adds the columns to rows of members: four statements for a page, whatever its size. */
export async function addMemberCells(
  db: Database,
  organization_id: string,
  rows: readonly Row[],
  ambiguous: Ambiguous,
): Promise<void> {
  const ids = rows.map(({ id }) => String(id))
  const tag_ids = [
    ...new Set(rows.flatMap(row => (Array.isArray(row.tag_ids) ? row.tag_ids.map(String) : []))),
  ]
  const cells = await db.query<Cell>(
    `SELECT member_id, 'email' AS column, email AS value FROM member_emails WHERE organization_id = $1 AND member_id = ANY($2::text[]) AND NOT is_deleted
     UNION ALL SELECT h.member_id, CASE WHEN c.uid IS NULL THEN 'card_printed_code' ELSE 'card_uid' END, coalesce(c.uid, c.printed_code)
       FROM member_cards h JOIN cards c ON c.organization_id = h.organization_id AND c.id = h.card_id AND NOT c.is_deleted
       WHERE h.organization_id = $1 AND h.member_id = ANY($2::text[]) AND NOT h.is_deleted AND coalesce(c.uid, c.printed_code) IS NOT NULL
     ORDER BY member_id, value`,
    [organization_id, ids],
  )
  const groups = await db.query<Named>(
    `SELECT a.member_id AS of, g.id, g.name FROM member_group_associations a
     JOIN member_groups g ON g.organization_id = a.organization_id AND g.id = a.member_group_id AND NOT g.is_deleted
     WHERE a.organization_id = $1 AND a.member_id = ANY($2::text[]) AND NOT a.is_deleted ORDER BY g.name, g.id`,
    [organization_id, ids],
  )
  const tags = await db.query<Named>(
    `SELECT id AS of, id, name FROM tags WHERE organization_id = $1 AND id = ANY($2::text[]) AND NOT is_deleted`,
    [organization_id, tag_ids],
  )
  const byMember = Map.groupBy(cells, ({ member_id }) => member_id)
  const groupsOf = Map.groupBy(groups, ({ of }) => of)
  const tagOf = new Map(tags.map(tag => [tag.id, nameOrId(tag, ambiguous.tags)]))
  for (const row of rows) {
    const own = byMember.get(String(row.id)) ?? []
    const valuesOf = (column: MemberColumn) =>
      own.filter(cell => cell.column === column).map(({ value }) => value)
    const held = (groupsOf.get(String(row.id)) ?? []).map(group => nameOrId(group, ambiguous.member_groups))
    row.email = valuesOf('email')
    row.groups = [...new Set(held)]
    row.card_uid = valuesOf('card_uid')
    row.card_printed_code = valuesOf('card_printed_code')
    row.tags = (Array.isArray(row.tag_ids) ? row.tag_ids : []).flatMap(id => tagOf.get(id) ?? [])
  }
}

/** The name, if an import finds the same by it. */
function nameOrId({ id, name }: Named, ambiguous: ReadonlySet<string>): string {
  const isPlain = name === name.trim() && !/[;\r\n]|^-$|^'|^(mg|tag)_/.test(name)
  return isPlain && !ambiguous.has(name.toLowerCase()) ? name : id
}
