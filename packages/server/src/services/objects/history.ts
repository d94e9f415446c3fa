import {
  invalid,
  isStorable,
  type Resource,
  type Resources,
  resources,
  type StoredOf,
} from '@gatehouse-access/api'
import { parseTimestamp } from '@gatehouse-access/core'
import { present } from '../../flow/present.ts'
import { finishRow, selectList } from '../../store/columns.ts'
import { openCursor, sealCursor } from '../../store/cursor.ts'
import type { Page } from '../../store/list.ts'
import type { ActionInput } from './action.ts'
import { getObject } from './objects.ts'

type Event = StoredOf<Resources['event']>
type HistoryInput<R extends Resource> = Pick<ActionInput<R>, 'work' | 'target' | 'id'> & {
  readonly query: { readonly limit?: number; readonly cursor?: string }
}

/** `GET /members/{id}/history` and the like: the events that made an object what it is, newest first. */
export async function listHistory<R extends Resource>(input: HistoryInput<R>): Promise<Page<Event>> {
  const { work, target, id, query } = input
  await getObject(work, target, id)
  const { kind } = target.resource
  const { limit = 20, cursor } = query
  const bound = ['history', kind, id]
  const [at, before] = cursor === undefined ? ['infinity', ''] : readPlace(openCursor(bound, cursor))
  const rows = await work.db.query<Event>(historyStatement(target.resource), [
    work.caller.organization_id,
    id,
    at,
    before,
    limit + 1,
  ])
  const data = rows.slice(0, limit).map(finishRow(resources.event))
  if (rows.length <= limit) return { data, has_next: false }
  const last = present(data.at(-1), 'an event')
  return { data, has_next: true, cursor_next: sealCursor(bound, [last.created_at, last.id]) }
}

/** The kind is written out: an index covers the events of each, and a parameter would not find it. */
export function historyStatement({ kind }: Resource): string {
  return `SELECT ${selectList(resources.event)} FROM events t
     WHERE t.organization_id = $1 AND (t.object->>'type') = '${kind}' AND (t.object->>'${kind}_id') = $2
       AND t.verb IN ('create', 'edit', 'delete') AND (t.created_at, t.id) < ($3::timestamptz, $4)
     ORDER BY t.created_at DESC, t.id DESC LIMIT $5`
}

function readPlace([at, id]: readonly unknown[]): [string, string] {
  const parsed = typeof at === 'string' ? parseTimestamp(at) : undefined
  if (parsed === undefined || typeof id !== 'string' || !isStorable(id))
    throw invalid('cursor', 'cursor must be the cursor_next of an earlier response')
  return [parsed, id]
}
