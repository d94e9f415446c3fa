import { type MemberRow, quoted } from '@gatehouse-access/api'
import { isId } from '@gatehouse-access/core'
import type { Work } from '../../objects/context.ts'

/** Finds objects by the names or ids that rows write. */
export interface KnownNames {
  /** Returns the id, or what is wrong with the name. */
  find(written: string): { readonly id: string } | { readonly problem: string }
}

interface Named {
  readonly id: string
  readonly name: string
}

/** Looks up all groups and tags of a batch, and keeps them as they are until the batch is stored. */
export async function findNames(
  work: Work,
  rows: readonly MemberRow[],
): Promise<{ groups: KnownNames; tags: KnownNames }> {
  const groups = new Set(rows.flatMap(row => row.groups ?? []))
  const tags = new Set(rows.flatMap(row => row.tags ?? []))
  return {
    groups: await findNamed(work, 'member_groups', [...groups]),
    tags: await findNamed(work, 'tags', [...tags], `AND 'member' = ANY(applies_to)`),
  }
}

const words = {
  member_groups: { prefix: 'mg', noun: 'group' },
  tags: { prefix: 'tag', noun: 'tag for members' },
  calendars: { prefix: 'cal', noun: 'calendar' },
}

/** Case is folded by the service, as in `search_text`, so that it does not depend on the locale of the database. */
export async function findNamed(
  { db, caller }: Work,
  table: keyof typeof words,
  written: readonly string[],
  condition = '',
): Promise<KnownNames> {
  const { prefix, noun } = words[table]
  const rows =
    written.length === 0
      ? []
      : await db.query<Named>(
          `SELECT id, name FROM ${table} WHERE organization_id = $1 AND NOT is_deleted AND (id = ANY($2::text[]) OR split_part(search_text, E'\\n', 1) = ANY($3::text[])) ${condition}
           ORDER BY id FOR SHARE`,
          [
            caller.organization_id,
            written.filter(text => isId(prefix, text)),
            written.map(text => text.toLowerCase()),
          ],
        )
  const byId = new Map(rows.map(row => [row.id, row]))
  const byName = Map.groupBy(rows, row => row.name.toLowerCase())
  return {
    find(text) {
      const known = byId.get(text)
      if (known) return known
      const [first, second] = byName.get(text.toLowerCase()) ?? []
      if (second) return { problem: `Several are named ${quoted(text)}: write the ID of the right ${noun}` }
      return first ?? { problem: `No ${noun} is named ${quoted(text)}: write its name or its ID` }
    },
  }
}
