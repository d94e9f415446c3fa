import {
  type BulkChange,
  type EditOf,
  invalid,
  mostTags,
  RequestError,
  type Resources,
  resources,
} from '@gatehouse-access/api'
import { findLiving } from '../../store/find.ts'
import type { JobRow } from '../jobs/job-type.ts'
import type { Work } from '../objects/context.ts'
import { etagOf } from '../objects/etag.ts'
import { applyEdit, createFrom, deleteLocked, getObject } from '../objects/objects.ts'
import type { Member } from './select-members.ts'

type Edit = EditOf<Resources['member']>

/** What a member was before, for whoever undoes the edit. */
export interface Before {
  readonly fields: Edit
  /** Associations that the edit has created and deleted. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const associations = resources.member_group_association

/**
 * Changes a member. Throws a `RequestError` if it is refused and nothing was written, and any other error if
 * something was, so that the transaction has to be rolled back.
 */
export async function changeMember(
  work: Work,
  { id, organization_id }: Member,
  change: BulkChange,
): Promise<Pick<JobRow, 'outcome' | 'etag' | 'detail'>> {
  const target = { resource: resources.member, reach: { organization_id } }
  const before = await getObject(work, target, id, true)
  if (change.is_deleted) return deleteMember(work, before)
  if (before.is_deleted) return { outcome: 'skipped', detail: { problem: 'is deleted' } }
  const edit = editOf(before, change)
  const after = await applyEdit(work, resources.member, before, edit)
  const moved = await moveBetweenGroups(work, before, change).catch(afterWriting)
  const isChanged = after !== before || moved.added.length + moved.removed.length > 0
  if (!isChanged) return { outcome: 'unchanged' }
  const fields = Object.fromEntries(Object.keys(edit).map(name => [name, before[name as keyof Edit]]))
  return {
    outcome: 'updated',
    etag: etagOf(resources.member, after),
    detail: { fields, ...moved } satisfies Before,
  }
}

async function deleteMember(
  work: Work,
  before: Member,
): Promise<Pick<JobRow, 'outcome' | 'etag' | 'detail'>> {
  if (before.is_deleted) return { outcome: 'unchanged' }
  const after = await deleteLocked(work, resources.member, before)
  const detail: Before = { fields: { is_deleted: false }, added: [], removed: [] }
  return { outcome: 'deleted', etag: etagOf(resources.member, after), detail }
}

function editOf({ tag_ids }: Member, change: BulkChange): Edit {
  const { add_tag_ids = [], remove_tag_ids = [], starts_at, ends_at } = change
  const tags = [...new Set([...tag_ids, ...add_tag_ids])].filter(id => !remove_tag_ids.includes(id))
  if (tags.length > mostTags) throw invalid('tag_ids', `a member can have ${mostTags} tags`)
  return {
    ...(add_tag_ids.length + remove_tag_ids.length > 0 && { tag_ids: tags }),
    ...(starts_at !== undefined && { starts_at }),
    ...(ends_at !== undefined && { ends_at }),
  }
}

async function moveBetweenGroups(work: Work, { id, organization_id }: Member, change: BulkChange) {
  const { add_member_group_ids = [], remove_member_group_ids = [] } = change
  const added: string[] = []
  const removed: string[] = []
  if (add_member_group_ids.length + remove_member_group_ids.length === 0) return { added, removed }
  const reach = { organization_id, parent: { field: 'member_id', id } }
  const held = await findLiving(work.db, associations, reach)
  for (const member_group_id of add_member_group_ids)
    if (!held.some(association => association.member_group_id === member_group_id))
      added.push((await createFrom(work, associations, { member_id: id, member_group_id })).id)
  for (const association of held)
    if (remove_member_group_ids.includes(association.member_group_id)) {
      await deleteLocked(work, associations, association)
      removed.push(association.id)
    }
  return { added, removed }
}

/** Hides from the job that the request was at fault: what was written of the row must not stay. */
export function afterWriting(error: unknown): never {
  if (error instanceof RequestError) throw new Error(error.message, { cause: error })
  throw error
}
