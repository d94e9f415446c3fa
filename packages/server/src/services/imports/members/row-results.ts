import { isDeepStrictEqual } from 'node:util'
import { type AnyChanges, fieldsFor, resources } from '@gatehouse-access/api'
import type { Row } from '../../../database/db.ts'
import { etagOf } from '../../objects/etag.ts'
import { type ChildKind, childKinds, idOf, type MemberPlan } from './plan.ts'

/** What a row has done to a member, so that it can be undone. */
export interface MemberUndo {
  readonly kind: 'member'
  readonly is_created?: true
  /** The columns that were changed, as they were. */
  readonly before?: AnyChanges
  readonly creates?: { readonly [K in ChildKind]?: readonly string[] }
  readonly deletes?: { readonly [K in ChildKind]?: readonly string[] }
  readonly card_ids?: readonly string[]
  /** Credentials whose secrets are in the file of results. */
  readonly revealed?: readonly { readonly kind: 'member_pin' | 'member_magic_link'; readonly id: string }[]
}

export function undoOf(plan: MemberPlan): MemberUndo {
  const { held, created, changes, made, creates, new_cards } = plan
  const before: AnyChanges = held?.member ?? {}
  const changed = Object.keys(changes).filter(name => name in before)
  const revealed = [
    ...(made.pin === undefined
      ? []
      : creates.member_pin.map(({ id }) => ({ kind: 'member_pin' as const, id }))),
    ...(made.link === undefined
      ? []
      : creates.member_magic_link.map(({ id }) => ({ kind: 'member_magic_link' as const, id }))),
  ]
  return {
    kind: 'member',
    ...(created && { is_created: true }),
    ...(changed.length > 0 && { before: Object.fromEntries(changed.map(name => [name, before[name]])) }),
    creates: idsOf(kind => creates[kind].map(({ id }) => id)),
    deletes: idsOf(kind => plan.deletes[kind]),
    ...(new_cards.length > 0 && { card_ids: new_cards.map(({ id }) => id) }),
    ...(revealed.length > 0 && { revealed }),
  }
}

function idsOf(list: (kind: ChildKind) => readonly string[]): { [K in ChildKind]?: readonly string[] } {
  return Object.fromEntries(
    childKinds.map(kind => [kind, list(kind)] as const).filter(([, ids]) => ids.length > 0),
  )
}

/** The member as the row leaves it. */
function afterOf({ held, created, changes }: MemberPlan): AnyChanges {
  return created ?? { ...held?.member, ...changes }
}

export function etagAfter(plan: MemberPlan): string {
  return etagOf(resources.member, afterOf(plan))
}

/** A line of the diff: what is different, before and after. Secrets are no part of it. */
export function diffOf(plan: MemberPlan): Row {
  const { row, held, created, outcome, lists } = plan
  const after = afterOf(plan)
  const names = ['external_id', ...fieldsFor(resources.member, 'edit').map(([name]) => name)]
  const before: AnyChanges = held?.member ?? {}
  const differing = names.filter(name => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null))
  const listed = Object.entries(lists).filter(([, list]) => !isDeepStrictEqual(list.before, list.after))
  const values = (from: AnyChanges, side: 'before' | 'after') => ({
    ...Object.fromEntries(differing.map(name => [name, from[name] ?? null])),
    ...Object.fromEntries(listed.map(([name, list]) => [name, list[side]])),
  })
  return {
    line: row.line,
    outcome,
    member_id: created ? null : idOf(plan),
    external_id: after.external_id ?? null,
    name: after.name ?? null,
    before: created ? null : values(before, 'before'),
    after: values(after, 'after'),
  }
}

/** How many credentials the row creates. */
export function credentialsOf({ creates, outcome }: MemberPlan): number {
  if (outcome === 'failed') return 0
  return childKinds
    .filter(kind => kind !== 'member_group_association')
    .reduce((total, kind) => total + creates[kind].length, 0)
}
