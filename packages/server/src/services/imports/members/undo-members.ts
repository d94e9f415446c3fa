import { type AnyChanges, type ColumnsOf, type Resources, resources } from '@gatehouse-access/api'
import { deleteObjects } from '../../../store/write.ts'
import { updateObjects } from '../../../store/write-many.ts'
import { findChangedParts } from '../../jobs/changed-parts.ts'
import type { JobRow, WholeJob } from '../../jobs/job-type.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import { etagOf } from '../../objects/etag.ts'
import { asProblem } from '../rows/row-result.ts'
import { changedSince, type UndoneRow } from '../rows/undone-row.ts'
import { deleteChildren, deleteMembers } from './apply-members.ts'
import { lockMembers, type Member } from './held-members.ts'
import { type ChildKind, childKinds } from './plan.ts'
import { restoreChildren } from './restore-children.ts'
import type { MemberUndo } from './row-results.ts'

interface Undoing {
  readonly row: JobRow
  readonly undo: MemberUndo
  readonly member: Member
}

/** Sets back what rows have done to members that are still, with what hangs on them, as the import has left them. */
export async function undoMembers(
  work: Work,
  undone: WholeJob,
  rows: readonly JobRow[],
): Promise<UndoneRow[]> {
  const members = await lockMembers(
    work,
    rows.flatMap(({ object_id }) => object_id ?? []),
    false,
  )
  const changed = await findChangedParts(work, [...members.keys()], undone)
  const results: UndoneRow[] = []
  const same: Undoing[] = []
  for (const row of rows) {
    const member = members.get(row.object_id ?? '')
    const undo = row.detail as MemberUndo
    const isChanged = kindsOf(undo).some(kind => changed.get(row.object_id ?? '')?.includes(kind))
    if (member && !isChanged && row.etag === etagOf(resources.member, member))
      same.push({ row, undo, member })
    else results.push({ row, outcome: 'skipped', problem: changedSince })
  }
  const created = same.filter(({ undo }) => undo.is_created)
  await deleteMembers(
    work,
    created.map(({ member }) => member.id),
  )
  results.push(
    ...created.map(
      ({ row }): UndoneRow => ({
        row,
        outcome: 'deleted',
        before: { is_deleted: false },
        after: { is_deleted: true },
      }),
    ),
  )
  for (const undoing of same.filter(({ undo }) => !undo.is_created))
    results.push(await undoEdit(work, undoing))
  await deleteFreeCards(
    work,
    same.flatMap(({ undo }) => undo.card_ids ?? []),
  )
  return results
}

/** Whoever is made, deleted or restored is so together with everything that hangs on them. */
function kindsOf({ is_created, before, creates, deletes }: MemberUndo): readonly ChildKind[] {
  if (is_created || before?.is_deleted !== undefined) return childKinds
  return childKinds.filter(kind => creates?.[kind] || deletes?.[kind])
}

async function undoEdit(work: Work, { row, undo, member }: Undoing): Promise<UndoneRow> {
  const { before = {} } = undo
  const { is_deleted, ...fields } = before
  const isRestored = is_deleted === false && member.is_deleted
  const problem = isRestored
    ? await findProblem(() => memberBehaviour.beforeRestore?.(work, member, {}))
    : undefined
  if (problem) return { row, outcome: 'skipped', problem }
  await setBack(work, member, is_deleted ? fields : before)
  for (const kind of childKinds) await deleteChildren(work, kind, undo.creates?.[kind] ?? [])
  const left = await restoreChildren(work, member.id, undo.deletes ?? {})
  // Last, so that what was brought back is free for others.
  if (is_deleted) await deleteMembers(work, [member.id])
  const changed: AnyChanges = member
  return {
    row,
    outcome: isRestored ? 'restored' : is_deleted ? 'deleted' : 'updated',
    problem: left,
    before: Object.fromEntries(Object.keys(before).map(name => [name, changed[name]])),
    after: before,
  }
}

async function findProblem(work: () => Promise<unknown> | undefined): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return asProblem(error).problem
  }
}

async function setBack(work: Work, member: Member, before: AnyChanges): Promise<void> {
  if (Object.keys(before).length === 0) return
  const after = { ...member, ...before } as Member
  const settled = { ...before, ...memberBehaviour.settle?.(after, member, work.now) }
  const columns = Object.keys(settled) as (keyof ColumnsOf<Resources['member']> & string)[]
  await updateObjects(work, resources.member, columns, [{ ...after, ...settled } as Member])
}

/** Cards that the import has made, unless somebody has them by now. */
async function deleteFreeCards(work: Work, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const free = await work.db.query<{ id: string }>(
    `SELECT c.id FROM cards c WHERE c.organization_id = $1 AND c.id = ANY($2::text[]) AND NOT c.is_deleted AND NOT c.is_lost
       AND NOT EXISTS (SELECT 1 FROM member_cards h WHERE h.organization_id = c.organization_id AND h.card_id = c.id AND h.is_claimed)
     ORDER BY c.id FOR UPDATE`,
    [work.caller.organization_id, ids],
  )
  if (free.length > 0)
    await deleteObjects(
      work,
      resources.card,
      'id',
      free.map(({ id }) => id),
    )
}
