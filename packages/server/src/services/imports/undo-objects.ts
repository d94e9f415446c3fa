import {
  type AnyChanges,
  type AnyEdit,
  type AnyObject,
  type Kind,
  RequestError,
  resourceOf,
} from '@gatehouse-access/api'
import { findObject } from '../../store/find.ts'
import type { JobRow } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit } from '../objects/objects.ts'
import { findTwin } from './object-twins.ts'
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
  const { kind, is_created, before = is_created ? { is_deleted: true } : {} } = row.detail as ObjectUndo
  const resource = resourceOf(kind)
  const reach = { organization_id: work.caller.organization_id }
  const held = await findObject(work.db, resource, reach, row.object_id ?? '', { lock: true })
  const isMadeAgain = held?.is_deleted && (await findTwin(work, kind, { values: held }, held))
  if (!held || isMadeAgain || etagOf(resource, held) !== row.etag)
    return { row, outcome: 'skipped', problem: changedSince }
  try {
    await applyEdit(work, resource, held, withWholeMetadata(held, before))
    const names = Object.keys(before)
    const outcome = before.is_deleted ? 'deleted' : held.is_deleted ? 'restored' : 'updated'
    return { row, outcome, before: Object.fromEntries(names.map(name => [name, held[name]])), after: before }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return { row, outcome: 'skipped', problem: error.message }
  }
}

/** An edit merges metadata: keys that the import has added go by null. */
function withWholeMetadata({ metadata: held = {} }: AnyObject, before: AnyEdit): AnyEdit {
  if (!before.metadata) return before
  const gone = Object.fromEntries(Object.keys(held).map(key => [key, null]))
  return { ...before, metadata: { ...gone, ...before.metadata } }
}
