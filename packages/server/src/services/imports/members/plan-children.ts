import { type AnyChanges, type NewOf, type Resources, resources } from '@gatehouse-access/api'
import { newLink, revealLink } from '../../members/member-magic-links.ts'
import type { Work } from '../../objects/context.ts'
import { newValues } from '../../objects/new-object.ts'
import type { CardRoom } from './cards.ts'
import type { KnownNames } from './known-names.ts'
import { type ChildKind, idOf, type MemberPlan, refuse } from './plan.ts'

export function planGroups(work: Work, plan: MemberPlan, names: KnownNames): void {
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

/** Finds what a cell names. A name that is unknown is a problem of the row. */
export function resolve(
  plan: MemberPlan,
  column: string,
  written: readonly string[],
  names: KnownNames,
): string[] {
  const found = written.map(text => names.find(text))
  for (const one of found) if ('problem' in one) refuse(plan, column, one.problem)
  return [...new Set(found.flatMap(one => ('id' in one ? [one.id] : [])))]
}

/** New values of something that belongs to the member of the plan. */
export function add<K extends ChildKind>(
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
export function planEmails(work: Work, plan: MemberPlan): void {
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

export function planLinks(work: Work, plan: MemberPlan): void {
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
export function tellKept(plan: MemberPlan, kind: 'member_magic_link' | 'member_pin', name: string): void {
  const held = plan.held?.[kind].map(one => one.id) ?? []
  const kept = held.filter(id => !plan.deletes[kind].includes(id))
  plan.lists[name] = { before: held, after: [...kept, ...plan.creates[kind].map(() => 'new')] }
}

export function planCards(work: Work, plan: MemberPlan, cards: CardRoom): void {
  const { row, held } = plan
  if (!row.card_uids && !row.card_codes) return
  const wanted = [
    ...(row.card_uids ?? []).map(uid => ({ column: 'card_uid', card: { uid } })),
    ...(row.card_codes ?? []).map(printed_code => ({ column: 'card_printed_code', card: { printed_code } })),
  ]
  const ids = new Set<string>()
  for (const { column, card } of wanted) {
    const found = cards.find(card, idOf(plan))
    if (found.id !== undefined) plan.touches.push(found.id)
    if ('problem' in found) refuse(plan, column, found.problem)
    else {
      ids.add(found.id)
      if (found.made) plan.new_cards.push(found.made)
    }
  }
  if (plan.problems.length > 0) return
  const has = held?.member_card ?? []
  plan.deletes.member_card.push(...has.filter(({ card_id }) => !ids.has(card_id)).map(({ id }) => id))
  for (const card_id of ids)
    if (!has.some(one => one.card_id === card_id)) add(work, plan, 'member_card', { card_id })
  plan.lists.card_ids = { before: has.map(one => one.card_id), after: [...ids] }
}

/** Later rows find the cards as this one leaves them. Call once nothing else of the row is refused. */
export function moveCards(plan: MemberPlan, cards: CardRoom): void {
  const { before = [], after = [] } = plan.lists.card_ids ?? {}
  for (const id of before) if (!after.includes(id)) cards.release(id)
  for (const id of after) cards.take(id, idOf(plan))
}
