import { type EventObject, type EventSubject, personalOf, resourceOf, resources } from '@gatehouse-access/api'
import { isRecord } from '../../flow/record.ts'

/** The IDs that lead to a person: of members, and of what belongs to a member. */
export const personIds: ReadonlySet<string> = new Set(
  Object.values(resources)
    .filter(({ kind, parent }: { kind: string; parent?: string }) => kind === 'member' || parent === 'member')
    .map(({ kind }) => `${kind}_id`),
)

/** What of an event can name a person. */
interface Linked {
  readonly subject: EventSubject
  readonly object: EventObject
  readonly explanation?: object | null
}

/**
 * Returns an event without a member, or without any member at all. What happened stays: verb, type, gadget, time, reason and
 * method. Whoever else is in the event stays, too.
 */
export function unlinkEvent<Event extends Linked>(
  event: Event,
  memberId?: string,
): Event & { is_unlinked: true } {
  const isPerson = (id: string | null | undefined) =>
    id != null && (memberId === undefined || id === memberId)
  const { subject, object, explanation } = event
  const acted = isPerson(subject.member_id)
  const concerned = isPerson(object.member_id)
  return {
    ...event,
    subject: acted ? unlinkSubject(subject) : subject,
    object: concerned ? unlinkObject(object) : object,
    ...(explanation && (acted || concerned) && { explanation: unlinkExplanation(explanation) }),
    is_unlinked: true,
  }
}

/** Returns the event of an edit without the personal values that it changed. */
export function emptyChanges<Event extends Linked>(event: Event): Event & { is_unlinked: true } {
  const { changes, ...rest } = event.object
  const left = changes?.map(change => unlinkChange(rest.type, change))
  return { ...event, object: left ? { ...rest, changes: left } : rest, is_unlinked: true }
}

function unlinkSubject(subject: EventSubject): EventSubject {
  const { ip_address, client, ...rest } = subject
  return withoutIds(rest)
}

function unlinkObject(object: EventObject): EventObject {
  return withoutIds(withoutValues(object))
}

/** Takes the personal values out of what an edit changed. */
export function withoutValues({ changes, ...rest }: EventObject): EventObject {
  return changes ? { ...rest, changes: changes.map(change => unlinkChange(rest.type, change)) } : rest
}

function withoutIds<T extends object>(held: T): T {
  return Object.fromEntries(Object.entries(held).filter(([name]) => !personIds.has(name))) as T
}

type Change = NonNullable<EventObject['changes']>[number]

/** Of a personal value only the field is left: its path can be a key of metadata. */
function unlinkChange(type: string, change: Change): Change {
  const field = resourceOf(type)?.fields[change.field]
  return field && personalOf(field) === null ? change : { field: change.field }
}

/** The rules stay; which of the member's associations led to them does not. */
function unlinkExplanation(explanation: object): object {
  if (!('rules' in explanation) || !Array.isArray(explanation.rules)) return explanation
  const rules = explanation.rules.map((rule: unknown) =>
    isRecord(rule) ? { ...rule, member_group_association_id: null } : rule,
  )
  return { ...explanation, rules }
}

/** Returns the event of an edit without a member among the values that it changed. */
export function forgetMember<Event extends Linked>(event: Event, memberId: string): Event {
  const { changes, ...rest } = event.object
  if (!changes) return event
  return { ...event, object: { ...rest, changes: changes.map(change => withoutMember(change, memberId)) } }
}

function withoutMember<Value>(value: Value, memberId: string): Value {
  if (typeof value === 'string') return (value.includes(memberId) ? null : value) as Value
  if (Array.isArray(value))
    return value.filter(held => held !== memberId).map(held => withoutMember(held, memberId)) as Value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, withoutMember(held, memberId)]),
  ) as Value
}
