import { type Resources, resources, type StoredOf } from '@gatehouse-access/api'
import { finishRow, selectList } from '../../../store/columns.ts'
import { updateObjects } from '../../../store/write-many.ts'
import type { Work } from '../../objects/context.ts'
import { type ChildKind, childKinds } from './plan.ts'
import type { MemberUndo } from './row-results.ts'

/** Brings back what an import took from a member. Returns what could not be brought back. */
export async function restoreChildren(
  work: Work,
  memberId: string,
  deleted: NonNullable<MemberUndo['deletes']>,
): Promise<string | undefined> {
  const left: string[] = []
  for (const kind of childKinds) {
    const ids = deleted[kind] ?? []
    if (ids.length === 0) continue
    if (kind === 'member_magic_link') left.push('a link')
    else if ((await restore(work, memberId, kind, ids)) < ids.length) left.push(words[kind])
  }
  return left.length === 0 ? undefined : `has lost ${left.join(', ')}, which cannot be brought back`
}

const words = {
  member_group_association: 'a group that is deleted',
  member_email: 'an email that it has again',
  member_card: 'a card that somebody else has or that is lost',
  member_pin: 'a PIN that somebody else has',
}

/** What would contradict what is there by now stays deleted. */
const isPossible = {
  member_group_association: `EXISTS (SELECT 1 FROM member_groups g WHERE g.organization_id = t.organization_id AND g.id = t.member_group_id AND NOT g.is_deleted)`,
  member_email: `NOT EXISTS (SELECT 1 FROM member_emails o WHERE o.organization_id = t.organization_id AND o.member_id = t.member_id AND o.email_key = t.email_key AND NOT o.is_deleted)`,
  member_card: `NOT EXISTS (SELECT 1 FROM member_cards o WHERE o.organization_id = t.organization_id AND o.card_id = t.card_id AND o.is_claimed)
    AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.organization_id = t.organization_id AND c.id = t.card_id AND c.is_lost)`,
  member_pin: `NOT EXISTS (SELECT 1 FROM member_pins o WHERE o.organization_id = t.organization_id AND o.pin_hash = t.pin_hash AND o.is_claimed)`,
}

async function restore(
  work: Work,
  memberId: string,
  kind: Exclude<ChildKind, 'member_magic_link'>,
  ids: readonly string[],
): Promise<number> {
  const resource = resources[kind]
  if (kind === 'member_card') await holdCards(work, ids)
  const rows = await work.db.query<StoredOf<Resources[typeof kind]>>(
    `SELECT ${selectList(resource)} FROM ${resource.table} t
     WHERE t.organization_id = $1 AND t.member_id = $2 AND t.id = ANY($3::text[]) AND t.is_deleted AND ${isPossible[kind]} ORDER BY t.id FOR UPDATE`,
    [work.caller.organization_id, memberId, ids],
  )
  if (rows.length === 0) return 0
  const living = rows.map(finishRow(resource)).map(row => ({ ...row, is_deleted: false }))
  await updateObjects<Resources[typeof kind]>(work, resource, ['is_deleted'], living)
  if (kind === 'member_pin' || kind === 'member_card')
    await work.db.query(
      `UPDATE ${resource.table} SET is_claimed = true WHERE organization_id = $1 AND id = ANY($2::text[])`,
      [work.caller.organization_id, living.map(({ id }) => id)],
    )
  return rows.length
}

/** No card is reported lost between the look at it and what is brought back. */
async function holdCards(work: Work, ids: readonly string[]): Promise<void> {
  await work.db.query(
    `SELECT 1 FROM cards WHERE organization_id = $1 AND id IN (
       SELECT card_id FROM member_cards WHERE organization_id = $1 AND id = ANY($2::text[])) ORDER BY id FOR SHARE`,
    [work.caller.organization_id, ids],
  )
}
