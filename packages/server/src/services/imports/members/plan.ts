import type { AnyChanges, MemberRow, NewOf, Resources, RowProblem } from '@gatehouse-access/api'
import { present } from '../../../flow/present.ts'
import type { RowOutcome } from '../../jobs/job-type.ts'
import type { Held } from './held-members.ts'

/** What hangs on a member, in the order in which it is written. */
export const childKinds = [
  'member_group_association',
  'member_email',
  'member_magic_link',
  'member_card',
  'member_pin',
] as const
export type ChildKind = (typeof childKinds)[number]

type Amount = readonly [kind: 'member' | 'card' | ChildKind, more: number]

/** What a row will do, worked out before anything is written. */
export interface MemberPlan {
  readonly row: MemberRow
  readonly held: Held | undefined
  readonly problems: RowProblem[]
  outcome: RowOutcome
  /** All columns of a new member. */
  created: NewOf<Resources['member']> | undefined
  /** Columns of a known member that change. */
  changes: AnyChanges
  readonly creates: { [K in ChildKind]: NewOf<Resources[K]>[] }
  readonly deletes: { [K in ChildKind]: string[] }
  /** Cards that it names, and PINs that were looked up for it, by IDs and hashes. */
  readonly touches: string[]
  /** Cards that the organization does not know yet. */
  readonly new_cards: NewOf<Resources['card']>[]
  /** Secrets that the service has made, for the file of results. */
  readonly made: { pin?: string; link?: string }
  /** What the diff says of lists, before and after. */
  readonly lists: { [name: string]: { before: readonly string[]; after: readonly string[] } }
}

export function emptyPlan(row: MemberRow, held: Held | undefined): MemberPlan {
  return {
    row,
    held,
    problems: [...row.problems],
    outcome: 'unchanged',
    created: undefined,
    changes: {},
    creates: {
      member_group_association: [],
      member_email: [],
      member_magic_link: [],
      member_card: [],
      member_pin: [],
    },
    deletes: {
      member_group_association: [],
      member_email: [],
      member_magic_link: [],
      member_card: [],
      member_pin: [],
    },
    touches: [],
    new_cards: [],
    made: {},
    lists: {},
  }
}

export function idOf({ created, held }: MemberPlan): string {
  return created?.id ?? held?.member.id ?? ''
}

/** Whether anything of it is to be written. */
export function hasChanges({ created, changes, creates, deletes }: MemberPlan): boolean {
  return (
    created !== undefined ||
    Object.keys(changes).length > 0 ||
    childKinds.some(kind => creates[kind].length > 0 || deletes[kind].length > 0)
  )
}

/** How many more there are of everything once the row is done. */
export function amountsOf({ created, changes, creates, deletes, new_cards }: MemberPlan): Amount[] {
  const isMore = created !== undefined || changes.is_deleted === false
  return [
    ['member', Number(isMore) - Number(changes.is_deleted === true)],
    ['card', new_cards.length],
    ...childKinds.map(kind => [kind, creates[kind].length - deletes[kind].length] as const),
  ]
}

export function heldMember(plan: MemberPlan): Held {
  return present(plan.held, 'the member of a row that changes one')
}

export function refuse(plan: MemberPlan, column: string, problem: string): void {
  plan.problems.push({ column, problem })
}
