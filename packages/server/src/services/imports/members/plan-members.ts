import { isDeepStrictEqual } from 'node:util'
import {
  type AnyChanges,
  type AnyEdit,
  type ImportSettings,
  keyOfRow,
  type MemberRow,
  mergeMetadata,
  type NewOf,
  type Resources,
  resources,
} from '@gatehouse-access/api'
import type { RowOutcome } from '../../jobs/job-type.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import { erased } from '../../objects/credentials.ts'
import { newValues } from '../../objects/new-object.ts'
import type { BatchOptions } from '../rows/row-context.ts'
import { asProblem } from '../rows/row-result.ts'
import { CardRoom } from './cards.ts'
import { findHeld, type Held, type HeldByLine, type Member } from './held-members.ts'
import { findNames, type KnownNames } from './known-names.ts'
import { findLookups } from './pin-lookups.ts'
import { PinRoom } from './pins.ts'
import { emptyPlan, hasChanges, type MemberPlan, refuse } from './plan.ts'
import { moveCards, planCards, planEmails, planGroups, planLinks, resolve } from './plan-children.ts'
import { makePins, planPin } from './plan-pins.ts'
import { takeRooms } from './take-rooms.ts'

interface Known {
  readonly groups: KnownNames
  readonly tags: KnownNames
  readonly pins: PinRoom
  readonly cards: CardRoom
}

export type PlanSettings = Pick<ImportSettings, 'mode' | 'key'> & Omit<BatchOptions, 'stops'>

/**
 * Works out what each row of a batch does, in file order. Reads for all rows at once, and writes nothing. Ends before a
 * row that depends on what one before it writes: about the same member, or about one that is restored.
 */
export async function planMembers(
  work: Work,
  all: readonly MemberRow[],
  settings: PlanSettings,
): Promise<MemberPlan[]> {
  const isGood = (row: MemberRow) => row.problems.length === 0
  const held = await findHeld(work, all.filter(isGood), settings)
  const rows = all.slice(0, countApart(all, held, settings.key))
  const good = rows.filter(isGood)
  const pins = new PinRoom(work, settings, await findLookups(work, good, settings.dry_run_id))
  const cards = new CardRoom(work, settings.foreseen)
  await pins.learn(good.flatMap(row => (row.pin?.pin === undefined ? [] : [row.pin.pin])))
  await cards.learn(good)
  const known = { ...(await findNames(work, good)), pins, cards }
  const plans: MemberPlan[] = []
  for (const row of rows) {
    if (plans.some(restores) && mayBeRestored(row, held, settings.key)) break
    const plan = await planRow(work, row, held.get(row.line), known, settings)
    if (restores(plan) && plans.some(frees)) break
    if (plans.some(earlier => givesBack(earlier, plan, pins))) break
    plans.push(plan)
  }
  await makePins(work, plans, pins)
  await takeRooms(work, plans, settings)
  return plans.map(settle)
}

function restores({ changes }: MemberPlan): boolean {
  return changes.is_deleted === false
}

/** Whether the row may be about a member that is not found by the key until an earlier row has restored it. */
function mayBeRestored(row: MemberRow, held: HeldByLine, key: string): boolean {
  return key !== 'external_id' && row.id === undefined && !held.has(row.line)
}

/** Whether the row takes away a PIN or a card, which a member that is restored may have had before. */
function frees({ changes, deletes }: MemberPlan): boolean {
  return changes.is_deleted === true || deletes.member_pin.length + deletes.member_card.length > 0
}

/** Whether a member that the earlier row restores has a PIN or a card that the later one wants. */
function givesBack({ changes, held }: MemberPlan, { row, creates }: MemberPlan, pins: PinRoom): boolean {
  if (changes.is_deleted !== false) return false
  const wanted = row.pin?.pin === undefined ? [] : pins.hashesOf(row.pin.pin)
  return (
    creates.member_card.some(({ card_id }) => held?.member_card.some(one => one.card_id === card_id)) ||
    (held?.member_pin ?? []).some(({ pin_hash }) => wanted.includes(Buffer.from(pin_hash).toString('hex')))
  )
}

/** How many rows are about different members. */
function countApart(rows: readonly MemberRow[], held: HeldByLine, key: string): number {
  const seen = new Set<string>()
  const isRepeated = (row: MemberRow) => {
    if (row.problems.length > 0) return false
    const id = held.get(row.line)?.member.id
    const own = keyOfRow(row, key)
    if ((id !== undefined && seen.has(id)) || (own !== undefined && seen.has(own))) return true
    for (const value of [id, ...keysOf(row, key)]) if (value !== undefined) seen.add(value)
    return false
  }
  const first = rows.findIndex(isRepeated)
  return first < 0 ? rows.length : first
}

/** All by which the member is known once the row is written. */
function keysOf(row: MemberRow, key: string): (string | undefined)[] {
  if (key === 'email') return (row.emails ?? []).map(email => email.toLowerCase())
  return key === 'card_uid' ? [...(row.card_uids ?? [])] : [keyOfRow(row, key)]
}

async function planRow(
  work: Work,
  row: MemberRow,
  held: Held | undefined,
  known: Known,
  { mode, key, foreseen }: PlanSettings,
): Promise<MemberPlan> {
  const plan = emptyPlan(row, held)
  if (plan.problems.length > 0) return plan
  const repeat = held && foreseen.repeatOf(held.member.id, row.id === undefined ? key : 'id')
  if (repeat) plan.problems.push(repeat)
  if (row.id !== undefined && !held) refuse(plan, 'id', `There is no member ${row.id}`)
  if (held?.member.erased_at != null) refuse(plan, 'id', erased('member', held.member.id).message)
  if (mode === 'create' && held) refuse(plan, 'external_id', `The member exists already: ${held.member.id}`)
  if (held && held.member.erased_at !== null && row.is_deleted !== true)
    refuse(plan, 'id', `${held.member.id} was erased, and cannot be restored`)
  if (plan.problems.length > 0) return plan
  if (row.is_deleted === true) {
    if (held && !held.member.is_deleted) {
      plan.changes = { is_deleted: true }
      for (const card of held.member_card) known.cards.release(card.card_id)
      for (const pin of held.member_pin) known.pins.release(pin)
    }
    return plan
  }
  explained(plan, () => planMember(work, plan, known))
  if (plan.problems.length > 0) return plan
  planGroups(work, plan, known.groups)
  planEmails(work, plan)
  planLinks(work, plan)
  planCards(work, plan, known.cards)
  if (plan.problems.length === 0) await planPin(plan, known.pins)
  if (plan.problems.length === 0) moveCards(plan, known.cards)
  return plan
}

/** What the API would refuse is a problem of the row. */
function explained(plan: MemberPlan, work: () => void): void {
  try {
    work()
  } catch (error) {
    plan.problems.push(asProblem(error))
  }
}

function planMember(work: Work, plan: MemberPlan, { tags }: Known): void {
  const { row, held } = plan
  const tag_ids = row.tags && resolve(plan, 'tags', row.tags, tags)
  const given = { ...row.member, ...(tag_ids && { tag_ids }) }
  if (held) plan.changes = changesOf(work, held, { ...given, external_id: row.external_id })
  else {
    const metadata = mergeMetadata({}, given.metadata ?? {})
    const values = newValues(work, resources.member, {
      ...given,
      metadata,
      external_id: row.external_id ?? null,
    })
    plan.created = values as NewOf<Resources['member']>
    Object.assign(plan.created, memberBehaviour.settle?.(plan.created, undefined, work.now))
  }
}

function changesOf(work: Work, { member }: Held, given: AnyEdit): AnyChanges {
  const { metadata, ...rest } = given
  const wanted: AnyChanges = {
    ...rest,
    is_deleted: false,
    ...(metadata && { metadata: mergeMetadata(member.metadata, metadata) }),
  }
  const before: AnyChanges = member
  const changes: AnyChanges = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(before[name], value),
    ),
  )
  if (Object.keys(changes).length === 0) return changes
  return { ...changes, ...memberBehaviour.settle?.({ ...member, ...changes } as Member, member, work.now) }
}

function settle(plan: MemberPlan): MemberPlan {
  plan.outcome = plan.problems.length > 0 ? 'failed' : outcomeOf(plan)
  return plan
}

function outcomeOf(plan: MemberPlan): RowOutcome {
  if (plan.created) return 'created'
  if (plan.changes.is_deleted === true) return 'deleted'
  if (plan.changes.is_deleted === false) return 'restored'
  return hasChanges(plan) ? 'updated' : 'unchanged'
}
