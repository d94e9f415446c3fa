import { type AnyChanges, type Kind, RequestError, resourceOf } from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import type { JobRow } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit, deleteLocked } from '../objects/objects.ts'
import { changedSince, type UndoneRow } from './rows/undone-row.ts'

/** What a row has done to an object other than a member. */
export interface ObjectUndo {
  readonly kind: Kind
  readonly is_created?: true
  readonly before?: AnyChanges
}

/** Sets back cards, days and associations, one by one. */
export async function undoObjects(work: Work, rows: readonly JobRow[]): Promise<UndoneRow[]> {
  const results: UndoneRow[] = []
  for (const row of rows) results.push(await undoObject(work, row))
  return results
}

async function undoObject(work: Work, row: JobRow): Promise<UndoneRow> {
  const { kind, is_created, before = {} } = row.detail as ObjectUndo
  const resource = resourceOf(kind)
  const reach = { organization_id: work.caller.organization_id }
  const held = await findObject(work.db, resource, reach, row.object_id ?? '', { lock: true })
  if (!held || etagOf(resource, held) !== row.etag) return { row, outcome: 'skipped', problem: changedSince }
  try {
    if (is_created || before.is_deleted === true) {
      await deleteLocked(work, resource, held)
      return { row, outcome: 'deleted', before: { is_deleted: false }, after: { is_deleted: true } }
    }
    await applyEdit(work, resource, held, before)
    const names = Object.keys(before)
    const outcome = held.is_deleted ? 'restored' : 'updated'
    return { row, outcome, before: Object.fromEntries(names.map(name => [name, held[name]])), after: before }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return { row, outcome: 'skipped', problem: error.message }
  }
}
