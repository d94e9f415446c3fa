import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Condition,
  invalid,
  matches,
  mayExpand,
  parseExpand,
  resources,
  ruleConditions,
} from '@gatehouse-access/api'
import type { FeedEvent } from '../../events/feed-event.ts'
import { parsePosition } from '../../events/position.ts'
import { present } from '../../flow/present.ts'
import { isRecord } from '../../flow/record.ts'
import { eventWithin } from '../../store/bounds.ts'
import type { Bounds } from '../../store/caller.ts'
import type { Reading } from '../../store/expand.ts'
import { type EventReader, renderEvents } from '../../store/render-events.ts'
import { streamReads } from './reads.ts'

/** A client's subscription request. */
export interface Wish {
  /** Undefined: all events. */
  readonly rules: readonly (readonly Condition[])[] | undefined
  readonly expand: readonly string[]
  readonly after: string | undefined
}

const known = ['type', 'filter', 'expand', 'after']

/** Parses a `subscribe` message. Throws if it is invalid. Expands that the scopes do not cover are left out. */
export function parseWish(message: unknown, scopes: readonly string[]): Wish {
  if (!isRecord(message)) throw invalid('', 'a message must be a JSON object')
  const { type, filter, expand = [], after } = message
  if (type !== 'subscribe') throw invalid('type', 'type must be "subscribe"')
  const unknown = Object.keys(message).find(name => !known.includes(name))
  if (unknown) throw invalid(unknown, `unknown field ${unknown}; allowed are: ${known.join(', ')}`)
  return { rules: parseRules(filter), expand: parseNames(expand, scopes), after: parseAfter(after) }
}

function parseRules(filter: unknown): Wish['rules'] {
  if (filter === undefined || filter === null) return undefined
  const rules = resources.webhook.fields.filter.type.parse(filter, 'filter')
  return rules.map(ruleConditions)
}

function parseNames(expand: unknown, scopes: readonly string[]): readonly string[] {
  const names = resources.webhook.fields.expand.type.parse(expand, 'expand')
  parseExpand(resources.event, names)
  return names.filter(name => mayExpand(scopes, resources.event, [name]))
}

function parseAfter(after: unknown): string | undefined {
  if (after === undefined || after === null) return undefined
  if (typeof after !== 'string') throw invalid('after', 'after must be a cursor of the event feed')
  parsePosition(after)
  return after
}

export interface EventMessage {
  readonly cursor: string
  readonly text: string
}

const texts = new WeakMap<FeedEvent, EventMessage>()

/** Events rendered per step. */
const atOnce = 64

/**
 * Yields the messages of the events that the client asked for, a few at a time. Messages without expands are
 * rendered once for all clients.
 */
export async function* messagesFor(
  reading: Reading,
  reader: Omit<EventReader, 'expand'>,
  { rules, expand }: Wish,
  events: readonly FeedEvent[],
): AsyncGenerator<EventMessage[], void, undefined> {
  for (let start = 0; start < events.length; start += atOnce) {
    if (start > 0) await nextTurn()
    const some = events.slice(start, start + atOnce)
    const isWanted = ({ event }: FeedEvent) => rules?.some(rule => matches(rule, event)) ?? true
    const wanted = some.filter(isWanted)
    if (wanted.length === 0) continue
    // Once more without what is hidden: a rule about it would tell of it.
    const seen = reader.bounds
      ? (await within(reading, reader.organization_id, reader.bounds, wanted)).filter(isWanted)
      : wanted
    if (seen.length === 0) continue
    yield expand.length === 0 ? seen.map(shared) : await expanded(reading, { ...reader, expand }, seen)
  }
}

interface Placed {
  readonly gadget_id?: string | null
  readonly device_id?: string | null
  readonly site_id?: string | null
}

/** Returns the events of some sites, as lists have them: see `eventsByPlace`. */
async function within(
  { db }: Reading,
  organization_id: string,
  bounds: Bounds,
  events: readonly FeedEvent[],
): Promise<FeedEvent[]> {
  const places = events.map(({ event }) => event.object as Placed)
  const ids = places.map(({ gadget_id, device_id, site_id }) => gadget_id ?? device_id ?? site_id)
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM gadgets WHERE organization_id = $1 AND id = ANY($2::text[]) AND site_id = ANY($3::text[])
     UNION ALL SELECT id FROM devices WHERE organization_id = $1 AND id = ANY($2::text[]) AND site_id = ANY($3::text[])`,
    [organization_id, ids.filter(id => id != null), bounds.site_ids],
  )
  const seen = new Set([...bounds.site_ids, ...rows.map(({ id }) => id)])
  return events
    .filter((_, index) => seen.has(ids[index] ?? ''))
    .map(entry => ({ ...entry, event: { ...entry.event, ...eventWithin(bounds, entry.event) } }))
}

async function expanded(
  reading: Reading,
  reader: EventReader,
  wanted: readonly FeedEvent[],
): Promise<EventMessage[]> {
  const events = wanted.map(({ event }) => event)
  const rendered = await streamReads.pass(reader.organization_id, () => renderEvents(reading, reader, events))
  return wanted.map(({ position }, index) =>
    messageOf(present(rendered[index], 'a rendered event'), position),
  )
}

function shared(entry: FeedEvent): EventMessage {
  const known = texts.get(entry)
  if (known) return known
  const message = messageOf(JSON.stringify(entry.event), entry.position)
  texts.set(entry, message)
  return message
}

function messageOf(event: string, cursor: string): EventMessage {
  return { cursor, text: `{"type":"event","event":${event},"cursor":"${cursor}"}` }
}

export function readyMessage(cursor: string): EventMessage {
  return { cursor, text: JSON.stringify({ type: 'ready', cursor }) }
}
