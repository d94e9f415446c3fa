import type { Database } from '../../database/db.ts'
import type { NewBody } from '../../store/deliveries.ts'

/** Bytes kept: enough for thousands of deliveries, since the webhooks of an event share its body. */
const mostBytes = 8 * 1024 * 1024

/** Caches bodies that were just queued, so that few are read back. Evicts the oldest first. */
export class Bodies {
  #kept = new Map<string, Buffer>()
  #size = 0

  put(body: NewBody): Buffer {
    const key = keyOf(body.event_id, body.reader)
    const held = this.#kept.get(key)
    if (held) return held
    const bytes = Buffer.from(body.body)
    this.#kept.set(key, bytes)
    this.#size += bytes.length
    for (const [first, oldest] of this.#kept) {
      if (this.#size <= mostBytes) break
      this.#kept.delete(first)
      this.#size -= oldest.length
    }
    return bytes
  }

  /** Returns the bodies by event id. Those that have expired, or were removed by an erasure, are missing. */
  async load(
    db: Database,
    organization_id: string,
    reader: string,
    eventIds: readonly string[],
  ): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>()
    const missing = eventIds.filter(event_id => !this.#kept.has(keyOf(event_id, reader)))
    for (const { event_id, body } of await readBodies(db, organization_id, reader, eventIds, missing)) {
      const kept = this.#kept.get(keyOf(event_id, reader))
      const bytes =
        kept ?? (body === null ? undefined : this.put({ organization_id, reader, event_id, body }))
      if (bytes) found.set(event_id, bytes)
    }
    return found
  }
}

/** Event ids are unique across organizations. */
function keyOf(eventId: string, reader: string): string {
  return eventId + reader
}

/** Which bodies there are, with the text of those that are missing here. */
async function readBodies(
  db: Database,
  organization_id: string,
  reader: string,
  ids: readonly string[],
  missing: readonly string[],
): Promise<{ event_id: string; body: string | null }[]> {
  if (ids.length === 0) return []
  return db.query<{ event_id: string; body: string | null }>(
    `SELECT event_id, CASE WHEN event_id = ANY($4::text[]) THEN body END AS body FROM webhook_bodies
     WHERE organization_id = $1 AND reader = $2 AND event_id = ANY($3::text[])`,
    [organization_id, reader, ids, missing],
  )
}
