import type { Database } from '../../database/db.ts'
import { present } from '../../flow/present.ts'
import { newId } from '../../store/ids.ts'
import type { Bodies } from './bodies.ts'
import type { Batch, DueDelivery, Source } from './due-delivery.ts'
import type { LaneKey } from './lanes.ts'

interface BatchRow {
  readonly id: string
  readonly oauth_application_id: string
  readonly reader: string
  readonly event_ids: string[]
  readonly created_at: string
}

const thisLane = 'organization_id = $1 AND webhook_id = $2'
const atOnce = 4

/** What waits in a lane for its first attempt, read from the oldest batch on. */
export class Waiting {
  #lane: LaneKey
  #bodies: Bodies
  #batches = new Map<string, Batch>()
  #after = '0'
  /** The last batch that was there before us, so that another process may have recorded some of it, or that we read before. */
  #inherited: bigint | undefined

  constructor(lane: LaneKey, bodies: Bodies) {
    this.#lane = lane
    this.#bodies = bodies
  }

  /** The next to begin, without those that are under way. */
  async next(db: Database, held: ReadonlySet<string>): Promise<DueDelivery[]> {
    this.#inherited ??= await findLast(db, this.#lane)
    for (;;) {
      const rows = await loadBatches(db, this.#lane, this.#after)
      if (rows.length === 0) return []
      const batches = await this.#recall(db, rows)
      const opening = rows.map((row, at) => this.#open(db, row, present(batches[at], 'a batch'), held))
      const due = (await Promise.all(opening)).flat()
      this.#after = rows.at(-1)?.id ?? this.#after
      if (due.length > 0) return due
    }
  }

  /** What is left of each: we know it, or it is all of it without what the log may have. */
  async #recall(db: Database, rows: readonly BatchRow[]): Promise<Batch[]> {
    const known = rows.map(({ id }) => this.#batches.get(id))
    const doubtful = rows.filter(({ id }, at) => !known[at] && BigInt(id) <= (this.#inherited ?? 0n))
    const ids = doubtful.flatMap(({ event_ids }) => event_ids)
    const logged = new Set(ids.length === 0 ? [] : await findLogged(db, this.#lane, ids))
    return rows.map(
      ({ id, event_ids }, at) => known[at] ?? { id, left: new Set(event_ids).difference(logged) },
    )
  }

  async #open(db: Database, row: BatchRow, batch: Batch, held: ReadonlySet<string>): Promise<DueDelivery[]> {
    const ids = [...batch.left].filter(id => !held.has(id))
    const bodies = await this.#bodies.load(db, this.#lane.organization_id, row.reader, ids)
    for (const id of ids) if (!bodies.has(id)) batch.left.delete(id)
    // One that we opened ourselves goes with its last outcome, and not before that is recorded.
    if (batch.left.size > 0) this.#batches.set(row.id, batch)
    else if (!this.#batches.has(row.id)) await removeBatch(db, this.#lane, row.id)
    const source = sourceOf(this.#lane, row)
    return ids.flatMap(event_id => {
      const body = bodies.get(event_id)
      return body ? [firstDelivery(source, batch, event_id, body)] : []
    })
  }

  /** To be called when outcomes of a batch were recorded. */
  settle(batch: Batch): void {
    if (batch.left.size === 0) this.#batches.delete(batch.id)
  }

  /** What was read and not begun is read once more; what was recorded while it is read is then in the log. */
  rewind(): void {
    if (this.#inherited !== undefined && BigInt(this.#after) > this.#inherited)
      this.#inherited = BigInt(this.#after)
    this.#after = '0'
  }

  /** Nothing is to be sent any more: the log says so of everything that waits. */
  async cancel(db: Database, now: string): Promise<void> {
    for (;;) {
      const rows = await loadBatches(db, this.#lane, '0')
      if (rows.length === 0) break
      await cancelBatches(db, this.#lane, rows, now)
    }
    this.#batches.clear()
    this.rewind()
  }
}

function sourceOf({ organization_id, webhook_id }: LaneKey, row: BatchRow): Source {
  const { oauth_application_id, reader, created_at } = row
  return { organization_id, webhook_id, oauth_application_id, reader, created_at }
}

function firstDelivery(source: Source, batch: Batch, event_id: string, body: Buffer): DueDelivery {
  const id = newId('webhook_delivery', source.created_at)
  const round = { round_started_at: null, round_place: 0, previous_at: null }
  return { id, event_id, source, body, ...round, due_at: source.created_at, batch }
}

function loadBatches(db: Database, lane: LaneKey, after: string): Promise<BatchRow[]> {
  return db.query<BatchRow>(
    `SELECT b.id::text AS id, oauth_application_id, reader, event_ids, created_at
     FROM webhook_batches b WHERE ${thisLane} AND b.id > $3 ORDER BY b.id LIMIT ${atOnce}`,
    [lane.organization_id, lane.webhook_id, after],
  )
}

async function findLast(db: Database, lane: LaneKey): Promise<bigint> {
  const [row] = await db.query<{ last: string | null }>(
    `SELECT max(id)::text AS last FROM webhook_batches WHERE ${thisLane}`,
    [lane.organization_id, lane.webhook_id],
  )
  return BigInt(row?.last ?? 0)
}

/** Those of the events that the log has. Planned anew: a plan kept from when the log was small would read all of it. */
async function findLogged(db: Database, lane: LaneKey, eventIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ event_id: string }>(
    `SELECT event_id FROM webhook_deliveries WHERE ${thisLane} AND event_id = ANY($3::text[])`,
    [lane.organization_id, lane.webhook_id, eventIds],
    { prepare: false },
  )
  return rows.map(({ event_id }) => event_id)
}

async function removeBatch(db: Database, lane: LaneKey, id: string): Promise<void> {
  await db.query(`DELETE FROM webhook_batches WHERE ${thisLane} AND id = $3`, [
    lane.organization_id,
    lane.webhook_id,
    id,
  ])
}

async function cancelBatches(
  db: Database,
  { organization_id, webhook_id }: LaneKey,
  rows: readonly BatchRow[],
  now: string,
): Promise<void> {
  const canceled = rows.flatMap(({ oauth_application_id, reader, created_at, event_ids }) =>
    event_ids.map(event_id => ({
      id: newId('webhook_delivery', created_at),
      oauth_application_id,
      reader,
      created_at,
      event_id,
    })),
  )
  await db.query(
    `WITH gone AS (DELETE FROM webhook_batches WHERE ${thisLane} AND id = ANY($3::text[]::bigint[]))
     INSERT INTO webhook_deliveries (id, organization_id, webhook_id, oauth_application_id, event_id, reader, status, attempts, finished_at, created_at)
     SELECT id, $1, $2, oauth_application_id, event_id, reader, 'canceled', '[]', $5, created_at
     FROM jsonb_to_recordset($4::jsonb) AS c(id text, oauth_application_id text, event_id text, reader text, created_at timestamptz)
     ON CONFLICT (organization_id, webhook_id, event_id) DO NOTHING`,
    [organization_id, webhook_id, rows.map(({ id }) => id), canceled, now],
  )
}
