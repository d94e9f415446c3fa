import { type AnyChanges, type ObjectRow, quoted, type RowProblem } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'
import { findNamed } from './members/known-names.ts'

/** What the rows of a batch belong to: calendars, groups, members. */
export interface Parents {
  of(row: ObjectRow): { readonly ids: AnyChanges } | { readonly problems: readonly RowProblem[] }
}

export async function findParents(work: Work, rows: readonly ObjectRow[]): Promise<Parents> {
  const written = (name: keyof ObjectRow['named']) => [...new Set(rows.flatMap(row => row.named[name] ?? []))]
  const calendars = await findNamed(work, 'calendars', written('calendar'))
  const groups = await findNamed(work, 'member_groups', written('group'))
  const members = await findMembers(work, written('member'))
  return {
    of({ named }) {
      const ids: Record<string, string> = {}
      const problems: RowProblem[] = []
      for (const [name, known] of [
        ['calendar', calendars],
        ['group', groups],
      ] as const) {
        const found = named[name] === undefined ? undefined : known.find(named[name])
        if (found && 'problem' in found) problems.push({ column: name, problem: found.problem })
        else if (found) ids[name === 'group' ? 'member_group_id' : 'calendar_id'] = found.id
      }
      if (named.member !== undefined) {
        const id = members.get(named.member)
        if (id === undefined)
          problems.push({
            column: 'member',
            problem: `No member has the ID or external ID ${quoted(named.member)}`,
          })
        else ids.member_id = id
      }
      return problems.length > 0 ? { problems } : { ids }
    },
  }
}

async function findMembers({ db, caller }: Work, written: readonly string[]): Promise<Map<string, string>> {
  if (written.length === 0) return new Map()
  const rows = await db.query<{ id: string; external_id: string | null }>(
    `SELECT id, external_id FROM members WHERE organization_id = $1 AND NOT is_deleted AND id = ANY($2::text[])
     UNION SELECT id, external_id FROM members WHERE organization_id = $1 AND NOT is_deleted AND external_id = ANY($2::text[])`,
    [caller.organization_id, written],
  )
  return new Map(
    rows.flatMap(({ id, external_id }) => [
      [id, id] as const,
      ...(external_id === null ? [] : [[external_id, id] as const]),
    ]),
  )
}
