import { type AnyChanges, type ColumnsOf, type Resources, resources } from '@gatehouse-access/api'
import { deleteObjects } from '../../../store/write.ts'
import { updateObjects } from '../../../store/write-many.ts'
import type { JobRow } from '../../jobs/job-type.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import { etagOf } from '../../objects/etag.ts'
import { asProblem } from '../rows/row-result.ts'
import { changedSince, type UndoneRow } from '../rows/undone-row.ts'
import { deleteChildren, deleteMembers } from './apply-members.ts'
import { lockMembers, type Member } from './held-members.ts'
import { childKinds } from './plan.ts'
import { restoreChildren } from './restore-children.ts'
import type { MemberUndo } from './row-results.ts'

interface Undoing {
  readonly row: JobRow
  readonly undo: MemberUndo
  readonly member: Member
}

/** Sets back what rows have done to members that are still as the import has left them. */
export async function undoMembers(work: Work, rows: readonly JobRow[]): Promise<UndoneRow[]> {
  const members = await lockMembers(
    work,
    rows.flatMap(({ object_id }) => object_id ?? []),
    false,
  )
  const results: UndoneRow[] = []
  const same: Undoing[] = []
  for (const row of rows) {
    const member = members.get(row.object_id ?? '')
    if (member && row.etag === etagOf(resources.member, member))
      same.push({ row, undo: row.detail as MemberUndo, member })
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

async function undoEdit(work: Work, { row, undo, member }: Undoing): Promise<UndoneRow> {
  const { before = {} } = undo
  const isRestored = before.is_deleted === false && member.is_deleted
  const problem = isRestored
    ? await findProblem(() => memberBehaviour.beforeRestore?.(work, member, {}))
    : undefined
  if (problem) return { row, outcome: 'skipped', problem }
  if (before.is_deleted === true) await deleteMembers(work, [member.id])
  else await setBack(work, member, before)
  for (const kind of childKinds) await deleteChildren(work, kind, undo.creates?.[kind] ?? [])
  const left = await restoreChildren(work, member.id, undo.deletes ?? {})
  const changed: AnyChanges = member
  return {
    row,
    outcome: isRestored ? 'restored' : before.is_deleted === true ? 'deleted' : 'updated',
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
