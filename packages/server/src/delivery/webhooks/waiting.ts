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

/** The deliveries of a lane that wait for their first attempt, oldest batch first. */
export class Waiting {
  #lane: LaneKey
  #bodies: Bodies
  #batches = new Map<string, Batch>()
  #after = '0'
  /** Last batch of which some may be recorded: by another process before this lane, or before a rewind. */
  #inherited: bigint | undefined

  constructor(lane: LaneKey, bodies: Bodies) {
    this.#lane = lane
    this.#bodies = bodies
  }

  /** Returns the next deliveries to start, except those in `held`. */
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

  /** Returns what is left of each batch: as known in memory, or all that is not in the log. */
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
    // A batch that this lane opened is deleted with its last outcome, once that is recorded.
    if (batch.left.size > 0) this.#batches.set(row.id, batch)
    else if (!this.#batches.has(row.id)) await removeBatch(db, this.#lane, row.id)
    const source = sourceOf(this.#lane, row)
    return ids.flatMap(event_id => {
      const body = bodies.get(event_id)
      return body ? [firstDelivery(source, batch, event_id, body)] : []
    })
  }

  /** To be called after outcomes of a batch were recorded. */
  settle(batch: Batch): void {
    if (batch.left.size === 0) this.#batches.delete(batch.id)
  }

  /** Reads again what was read and not started. What is recorded meanwhile is then found in the log. */
  rewind(): void {
    if (this.#inherited !== undefined && BigInt(this.#after) > this.#inherited)
      this.#inherited = BigInt(this.#after)
    this.#after = '0'
  }

  /** Logs everything that waits as canceled. */
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

/** Returns the events in the log. Not prepared: a plan from when the log was small would scan all of it. */
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
