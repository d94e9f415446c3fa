import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../database/db.ts'
import { isRecord } from '../flow/record.ts'
import { idsOfErased } from '../store/idempotency-keys.ts'
import { emptyDeliveries } from './empty-deliveries.ts'

interface Place {
  readonly event_id: string
  readonly reader: string
}

/** Members, and the cards that are erased with them. */
interface Sought {
  readonly organization_id: string
  readonly ids: readonly string[]
}

/** The bodies that hold one of them, of those that were looked at. */
export interface FoundBodies {
  readonly places: readonly Place[]
  /** Where the next look begins. Undefined behind the last one. */
  readonly next: Place | undefined
}

const page = 200
/** Bytes of what is read at once, unless a single body is longer. */
const pageSize = 4 * 1024 * 1024
/** With more IDs than this, looking for each of them takes longer than reading what is there. */
const mostLooks = 20
/** Milliseconds of one look. */
const longest = 500

/**
 * Looks for what webhooks were sent of events that do not name a member, or only tell of its erasure: their expands can hold it. There
 * can be millions, of 30 days. So it only reads, outside of the transaction that writes, and ends in time. Without expands, an event
 * holds no more than its own IDs.
 */
export async function findBodies(
  db: Database,
  { organization_id, ids }: Sought,
  from: Place | undefined,
): Promise<FoundBodies> {
  const until = performance.now() + longest
  const sought = new Set(ids)
  const places: Place[] = []
  for (let next = from; ; await breathe()) {
    const rows = await db.query<Place & { body: string | null }>(
      `SELECT event_id, reader, CASE WHEN reader <> '' AND (cardinality($4::text[]) > ${mostLooks}
         OR EXISTS (SELECT 1 FROM unnest($4::text[]) AS s(id) WHERE position(s.id IN body) > 0)) THEN body END AS body
       FROM (SELECT event_id, reader, body, sum(octet_length(body)) OVER (ORDER BY event_id, reader) - octet_length(body) AS size_before FROM (
         SELECT event_id, reader, body FROM webhook_bodies WHERE organization_id = $1 AND (event_id, reader) > ($2, $3) ORDER BY event_id, reader LIMIT ${page}) page) sized
       WHERE size_before < ${pageSize} ORDER BY event_id, reader`,
      [organization_id, next?.event_id ?? '', next?.reader ?? '', ids],
    )
    for (const { event_id, reader, body } of rows)
      if (body !== null && isHeld(body, sought)) places.push({ event_id, reader })
    const last = rows.at(-1)
    if (!last) return { places, next: undefined }
    next = { event_id: last.event_id, reader: last.reader }
    if (performance.now() > until || places.length >= page) return { places, next }
  }
}

/** Empties the deliveries of those bodies, and of no others of the same events. */
export function eraseBodies(
  db: Database,
  organization_id: string,
  places: readonly Place[],
  now: string,
): Promise<number> {
  const event_ids = places.map(({ event_id }) => event_id)
  return emptyDeliveries(db, { organization_id, event_ids, readers: places.map(({ reader }) => reader) }, now)
}

/** What tells of an erasure may have the bare ID, and the member as it is once it is erased. Only that is parsed: a body can be large. */
function isHeld(body: string, sought: ReadonlySet<string>): boolean {
  const named = [...new Set(body.match(idsOfErased))].filter(id => sought.has(id))
  if (named.length === 0 || !/"(?:erasure|erased)"/.test(body)) return named.length > 0
  const event: unknown = JSON.parse(body)
  return !tellsOfErasure(event) || holdsWhole(event, named)
}

function tellsOfErasure(event: unknown): boolean {
  if (!isRecord(event) || !isRecord(event.object)) return false
  const { type, reason } = event.object
  return type === 'erasure' || (type === 'member' && reason === 'erased')
}

/** Whether one of them is in it as it was before its erasure, and not only its ID. */
export function holdsWhole(value: unknown, ids: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some(one => holdsWhole(one, ids))
  if (!isRecord(value)) return false
  const isWhole = ids.some(id => id === value.id) && value.erased_at == null
  return isWhole || Object.values(value).some(one => holdsWhole(one, ids))
}
