import type { AnyChanges, Kind, ObjectRow } from '@gatehouse-access/api'
import type { Work } from '../objects/context.ts'

/** Finds the object that a row without an ID means: a card by its UID or code, a day by its date and name, an association by its ends. */
export async function findTwin(
  { db, caller }: Work,
  kind: Kind,
  { values }: Pick<ObjectRow, 'values'>,
  ids: AnyChanges,
): Promise<string | undefined> {
  const [text, params] = statementOf(kind, values, ids)
  const [found] = await db.query<{ id: string }>(text, [caller.organization_id, ...params])
  return found?.id
}

function statementOf(
  kind: Kind,
  values: ObjectRow['values'],
  ids: AnyChanges,
): readonly [string, readonly unknown[]] {
  if (kind === 'card')
    return [
      'SELECT id FROM cards WHERE organization_id = $1 AND NOT is_deleted AND (uid = $2 OR printed_code = $3) ORDER BY uid = $2 DESC LIMIT 1',
      [values.uid ?? null, values.printed_code ?? null],
    ]
  if (kind === 'calendar_day')
    return [
      `SELECT id FROM calendar_days WHERE organization_id = $1 AND NOT is_deleted AND calendar_id = $2 AND starts_on = $3
       AND name IS NOT DISTINCT FROM $4 LIMIT 1`,
      [ids.calendar_id, values.starts_on ?? null, values.name ?? null],
    ]
  return [
    'SELECT id FROM member_group_associations WHERE organization_id = $1 AND NOT is_deleted AND member_id = $2 AND member_group_id = $3 ORDER BY id LIMIT 1',
    [ids.member_id, ids.member_group_id],
  ]
}
