import { isDeepStrictEqual } from 'node:util'
import {
  type AnyChanges,
  type AnyEdit,
  type ImportSettings,
  type MemberRow,
  mergeMetadata,
  type NewOf,
  RequestError,
  type Resources,
  type RowProblem,
  resources,
} from '@gatehouse-access/api'
import { present } from '../../../flow/present.ts'
import { exceeded } from '../../../store/quotas.ts'
import type { RowOutcome } from '../../jobs/job-type.ts'
import { newLink, revealLink } from '../../members/member-magic-links.ts'
import { pinColumns } from '../../members/member-pins.ts'
import { memberBehaviour } from '../../members/members.ts'
import type { Work } from '../../objects/context.ts'
import { erased } from '../../objects/credentials.ts'
import { newValues } from '../../objects/new-object.ts'
import { takeRoom } from '../../objects/room.ts'
import { CardRoom } from './cards.ts'
import { findHeld, type Held, type Member } from './held-members.ts'
import { findNames, type KnownNames } from './known-names.ts'
import { PinRoom } from './pins.ts'
import { type ChildKind, childKinds, emptyPlan, hasChanges, idOf, type MemberPlan } from './plan.ts'

interface Known {
  readonly groups: KnownNames
  readonly tags: KnownNames
  readonly pins: PinRoom
  readonly cards: CardRoom
}

export type PlanSettings = Pick<ImportSettings, 'mode' | 'key'> & { readonly is_dry_run: boolean }

/** Works out what each row of a batch does, in file order. Reads for all rows at once, and writes nothing. */
export async function planMembers(
  work: Work,
  rows: readonly MemberRow[],
  settings: PlanSettings,
): Promise<MemberPlan[]> {
  const good = rows.filter(row => row.problems.length === 0)
  const held = await findHeld(work, good, settings.key, settings.is_dry_run)
  const pins = new PinRoom(work)
  const cards = new CardRoom(work)
  await pins.learn(good.flatMap(row => (row.pin?.pin === undefined ? [] : [row.pin.pin])))
  await cards.learn(good)
  const known = { ...(await findNames(work, good)), pins, cards }
  const plans: MemberPlan[] = []
  for (const row of rows) plans.push(await planRow(work, row, held.get(row.line), known, settings))
  await makePins(work, plans, pins)
  for (const plan of plans) await takeRooms(work, plan, settings.is_dry_run)
  return plans.map(settle)
}

async function planRow(
  work: Work,
  row: MemberRow,
  held: Held | undefined,
  known: Known,
  { mode }: PlanSettings,
): Promise<MemberPlan> {
  const plan = emptyPlan(row, held)
  if (plan.problems.length > 0) return plan
  if (row.id !== undefined && !held) refuse(plan, 'id', `There is no member ${row.id}`)
  if (held?.member.erased_at != null) refuse(plan, 'id', erased('member', held.member.id).message)
  if (mode === 'create' && held) refuse(plan, 'external_id', `The member exists already: ${held.member.id}`)
  if (plan.problems.length > 0) return plan
  if (row.is_deleted === true) {
    if (held && !held.member.is_deleted) plan.changes = { is_deleted: true }
    return plan
  }
  explained(plan, () => planMember(work, plan, known))
  if (plan.problems.length > 0) return plan
  planGroups(work, plan, known.groups)
  planEmails(work, plan)
  planLinks(work, plan)
  planCards(work, plan, known.cards)
  if (plan.problems.length === 0) await planPin(plan, known.pins)
  return plan
}

function refuse(plan: MemberPlan, column: string, problem: string): void {
  plan.problems.push({ column, problem })
}

/** What the API would refuse is a problem of the row. */
function explained(plan: MemberPlan, work: () => void): void {
  try {
    work()
  } catch (error) {
    plan.problems.push(asProblem(error))
  }
}

export function asProblem(error: unknown): RowProblem {
  if (!(error instanceof RequestError) || error.status >= 500) throw error
  return { column: error.args.field ?? '', problem: error.message }
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
    ...(metadata && { metadata: mergeMetadata(member.metadata, metadata) }),
    is_deleted: false,
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

function resolve(plan: MemberPlan, column: string, written: readonly string[], names: KnownNames): string[] {
  const found = written.map(text => names.find(text))
  for (const one of found) if ('problem' in one) refuse(plan, column, one.problem)
  return [...new Set(found.flatMap(one => ('id' in one ? [one.id] : [])))]
}

function planGroups(work: Work, plan: MemberPlan, names: KnownNames): void {
  const { row, held } = plan
  if (!row.groups) return
  const wanted = resolve(plan, 'groups', row.groups, names)
  const associations = held?.member_group_association ?? []
  const has = new Set(associations.map(one => one.member_group_id))
  plan.deletes.member_group_association.push(
    ...associations.filter(one => !wanted.includes(one.member_group_id)).map(one => one.id),
  )
  for (const member_group_id of wanted)
    if (!has.has(member_group_id)) add(work, plan, 'member_group_association', { member_group_id })
  plan.lists.member_group_ids = { before: [...has], after: wanted }
}

/** New values of something that belongs to the member of the plan. */
function add<K extends ChildKind>(
  work: Work,
  plan: MemberPlan,
  kind: K,
  given: AnyChanges,
): NewOf<Resources[K]> {
  const values = newValues(work, resources[kind], { ...given, member_id: idOf(plan) }) as NewOf<Resources[K]>
  const list: NewOf<Resources[K]>[] = plan.creates[kind]
  list.push(values)
  return values
}

/** The same address in another spelling is the same. */
function planEmails(work: Work, plan: MemberPlan): void {
  const { row, held } = plan
  if (!row.emails) return
  const emails = held?.member_email ?? []
  const wanted = new Set(row.emails.map(email => email.toLowerCase()))
  const has = new Set(emails.map(one => one.email.toLowerCase()))
  plan.deletes.member_email.push(
    ...emails.filter(one => !wanted.has(one.email.toLowerCase())).map(one => one.id),
  )
  for (const email of row.emails)
    if (!has.has(email.toLowerCase()))
      add(work, plan, 'member_email', { email, email_key: email.toLowerCase() })
  const kept = emails.filter(one => wanted.has(one.email.toLowerCase())).map(one => one.email)
  const added = plan.creates.member_email.map(one => one.email)
  plan.lists.emails = { before: emails.map(one => one.email), after: [...kept, ...added] }
}

function planLinks(work: Work, plan: MemberPlan): void {
  const { row, held } = plan
  if (row.magic_link === undefined) return
  const links = held?.member_magic_link ?? []
  if (!row.magic_link) plan.deletes.member_magic_link.push(...links.map(one => one.id))
  else if (links.length === 0) {
    const link = add(work, plan, 'member_magic_link', {})
    Object.assign(link, newLink(work.context, link.id))
    plan.made.link = revealLink(work.context, link)
  }
  tellKept(plan, 'member_magic_link', 'magic_link_ids')
}

/** Credentials are named by their ids in a diff; those to come have none yet. */
function tellKept(plan: MemberPlan, kind: 'member_magic_link' | 'member_pin', name: string): void {
  const held = plan.held?.[kind].map(one => one.id) ?? []
  const kept = held.filter(id => !plan.deletes[kind].includes(id))
  plan.lists[name] = { before: held, after: [...kept, ...plan.creates[kind].map(() => 'new')] }
}

function planCards(work: Work, plan: MemberPlan, cards: CardRoom): void {
  const { row, held } = plan
  if (!row.card_uids && !row.card_codes) return
  const wanted = [
    ...(row.card_uids ?? []).map(uid => ({ column: 'card_uid', card: { uid } })),
    ...(row.card_codes ?? []).map(printed_code => ({ column: 'card_printed_code', card: { printed_code } })),
  ]
  const ids = new Set<string>()
  for (const { column, card } of wanted) {
    const found = cards.find(card, idOf(plan))
    if ('problem' in found) refuse(plan, column, found.problem)
    else {
      ids.add(found.id)
      if (found.made) plan.new_cards.push(found.made)
    }
  }
  if (plan.problems.length > 0) return
  const has = held?.member_card ?? []
  for (const one of has.filter(({ card_id }) => !ids.has(card_id))) {
    plan.deletes.member_card.push(one.id)
    cards.release(one.card_id)
  }
  for (const card_id of ids) {
    cards.take(card_id, idOf(plan))
    if (!has.some(one => one.card_id === card_id)) add(work, plan, 'member_card', { card_id })
  }
  plan.lists.card_ids = { before: has.map(one => one.card_id), after: [...ids] }
}

/** A given PIN replaces what the member has. The wish for a new one is fulfilled by any. */
async function planPin(plan: MemberPlan, pins: PinRoom): Promise<void> {
  const { row, held } = plan
  const { pin } = row
  if (pin === undefined) return
  const has = held?.member_pin ?? []
  const remove = () => plan.deletes.member_pin.push(...has.map(one => one.id))
  if (pin === null) remove()
  else if (pin.pin !== undefined) {
    const hashes = pins.hashesOf(pin.pin)
    const isHeld = has.some(one => hashes.includes(Buffer.from(one.pin_hash).toString('hex')))
    if (isHeld && has.length === 1) return
    const problem = isHeld ? undefined : await pins.takeGiven(pin.pin)
    if (problem) refuse(plan, 'pin', problem)
    else remove()
  }
}

/** PINs are made for all rows together: whether they are taken is one question. */
async function makePins(work: Work, plans: readonly MemberPlan[], pins: PinRoom): Promise<void> {
  const wanting = plans.filter(plan => plan.problems.length === 0 && wantsPin(plan))
  const lengths = wanting.filter(isGenerated).map(({ row }) => row.pin?.length)
  const made = (await pins.make(lengths)).values()
  for (const plan of wanting) {
    const pin = isGenerated(plan) ? made.next().value : plan.row.pin?.pin
    if (pin === undefined) {
      refuse(
        plan,
        'pin',
        'Too many PINs of this length are in use for another one to be safe: use more digits',
      )
      continue
    }
    const added = add(work, plan, 'member_pin', {})
    Object.assign(added, pinColumns(work, added.id, pin))
    if (isGenerated(plan)) plan.made.pin = pin
    tellKept(plan, 'member_pin', 'pin_ids')
  }
  for (const plan of plans) if (plan.deletes.member_pin.length > 0) tellKept(plan, 'member_pin', 'pin_ids')
}

function isGenerated({ row }: MemberPlan): boolean {
  return row.pin?.pin === undefined
}

function wantsPin({ row, held, deletes }: MemberPlan): boolean {
  if (!row.pin || row.is_deleted === true) return false
  const kept = (held?.member_pin.length ?? 0) - deletes.member_pin.length
  return row.pin.pin === undefined ? kept === 0 : kept === 0 || deletes.member_pin.length > 0
}

/** Takes quota for everything that the row creates, and back what a deleted member had: its PINs and cards. */
async function takeRooms(work: Work, plan: MemberPlan, isDryRun: boolean): Promise<void> {
  if (plan.problems.length > 0) return
  try {
    if (plan.changes.is_deleted === false) {
      const { member } = heldMember(plan)
      await memberBehaviour.beforeRestore?.(work, member, {})
      if (!isDryRun) await takeRoom(work, resources.member, member)
    }
    if (isDryRun) return
    if (plan.created) await takeRoom(work, resources.member, plan.created)
    for (const card of plan.new_cards) await takeRoom(work, resources.card, card)
    for (const kind of childKinds) await takeChildRoom(work, plan, kind)
  } catch (error) {
    plan.problems.push(asProblem(error))
  }
}

/** What a member has is known here, and need not be counted. */
async function takeChildRoom(work: Work, plan: MemberPlan, kind: ChildKind): Promise<void> {
  const added = plan.creates[kind].length
  if (added === 0) return
  const { quotas } = work.context
  const most = quotas.most(`member.${kind}`)
  const held = (plan.held?.[kind].length ?? 0) - plan.deletes[kind].length
  if (held + added > most) throw exceeded(`member.${kind}`, most)
  await quotas.take(work.db, kind, [work.caller.organization_id], added)
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

export function heldMember(plan: MemberPlan): Held {
  return present(plan.held, 'the member of a row that changes one')
}
