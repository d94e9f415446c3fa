import { resources } from '@gatehouse-access/api'
import type { Logger } from 'pino'
import { isAway } from '../database/away.ts'
import type { Pool } from '../database/db.ts'
import { asRead } from '../database/postgres/query.ts'
import type { Ring } from '../flow/alarm.ts'
import { present } from '../flow/present.ts'
import { pause, systemTimers, type Timers } from '../flow/timers.ts'
import { finishRow, selectList } from '../store/columns.ts'
import { checkCursor } from './cursor-check.ts'
import { EpochWatch } from './epoch-watch.ts'
import type { EventColumns, FeedEvent, StoredEvent } from './feed-event.ts'
import { type Notifier, openNotifier } from './notifier.ts'
import { formatPosition, isLater, type Position, parsePosition } from './position.ts'
import { SharedEvents } from './shared.ts'

interface ReadOptions {
  /** If absent, starts with the very first event. */
  readonly after?: string | undefined
  readonly organization_id?: string | undefined
  readonly batch?: number
  readonly signal: AbortSignal
}

/** The only sequenced reader of the log. Webhooks, streams and devices each read it at their own position. */
export interface Feed extends AsyncDisposable {
  /** Yields every event after a position, oldest first, in batches. Waits for more until `signal` aborts. */
  read(options: ReadOptions): AsyncGenerator<FeedEvent[], void, undefined>
  /** Returns at most one batch of events after a position, without waiting. */
  page(options: Omit<ReadOptions, 'signal'>): Promise<FeedEvent[]>
  /**
   * Returns a position before everything that commits from now on. Events held back by an open transaction
   * may lie after it too. It is the position of an event, because a crash may forget a bare transaction id.
   */
  head(): Promise<string>
  /** Throws if a client's cursor is ahead of the database. */
  check(cursor: string): Promise<void>
  /** Calls the listener when the database has begun an epoch: cached parts of the log may no longer exist. */
  onEpoch(listener: () => void): void
  /** Returns the next notification of committed events, from this or another process. */
  woken(): Ring
  /** Returns the age in seconds of the oldest event that readers cannot see yet. */
  lag(): Promise<number>
}

const channel = 'gatehouse_events'
const longestWait = 1000
/** Milliseconds that a reader first waits for a transaction of somebody else, and at most. */
const [shortestHeldBack, longestHeldBack] = [5, 100] as const
/** A reader waits about a quarter of the time that it has waited already: a long transaction costs few questions. */
const growth = 1.25

export async function openFeed(db: Pool, log: Logger, timers: Timers = systemTimers): Promise<Feed> {
  const notifier = openNotifier(db, log, channel)
  const closed = new AbortController()
  const source = { db, timers, epochs: new EpochWatch(), shared: new SharedEvents() }
  db.onCommit('events_written', () => notifier.notify())
  source.epochs.onBegun(() => source.shared.clear())
  return {
    read: options =>
      readBatches(source, notifier, log, {
        ...options,
        signal: AbortSignal.any([options.signal, closed.signal]),
      }),
    page: options => readAfter(source, options, options.after),
    head: () => findHead(db),
    check: async cursor => source.epochs.see(await checkCursor(db, cursor)),
    onEpoch: listener => source.epochs.onBegun(listener),
    woken: () => notifier.next(),
    lag: () => measureLag(db),
    [Symbol.asyncDispose]: async () => closed.abort(),
  }
}

/** What the readers of one process share. */
interface Source {
  readonly db: Pool
  readonly timers: Timers
  readonly epochs: EpochWatch
  readonly shared: SharedEvents
}

/**
 * Backfill, cutover and live are one loop: read what is there, wait when there is nothing.
 *
 * Invariant: a reader never passes an event that a still-open transaction may yet commit. Events are ordered
 * by (epoch, transaction id, sequence) and read only below `pg_snapshot_xmin`, under which every transaction
 * has ended. A plain sequence would not do: a transaction with a lower number may commit after one with a
 * higher number.
 */
async function* readBatches(
  source: Source,
  notifier: Notifier,
  log: Logger,
  options: ReadOptions,
): AsyncGenerator<FeedEvent[], void, undefined> {
  let after = options.after
  let readNext: typeof readShared = readFirst
  const ignore = ignoreAway(log, source.shared)
  let heldBackWait: number = shortestHeldBack
  while (!options.signal.aborted) {
    const call = notifier.next()
    const batch = await readNext(source, options, after, call).catch(ignore)
    if (batch && batch.length > 0) {
      yield batch
      after = batch.at(-1)?.position
      readNext = readShared
      heldBackWait = shortestHeldBack
      continue
    }
    const is_held_back = batch && (await isHeldBack(source, options, after).catch(ignore))
    await pause(source.timers, is_held_back ? heldBackWait : longestWait, options.signal, call)
    heldBackWait = is_held_back ? Math.min(longestHeldBack, heldBackWait * growth) : shortestHeldBack
  }
}

/** Used even where any row would do: the planner, not knowing the position, may otherwise scan all events. */
const inOrder = 'ORDER BY t.epoch, t.transaction_id, t.sequence'

/** After an error, the reader waits and resumes. Logs the error unless the database is unreachable. */
function ignoreAway(log: Logger, shared: SharedEvents): (error: unknown) => undefined {
  return error => {
    shared.clear()
    if (!isAway(error)) log.warn({ err: error }, 'the feed cannot be read; trying again')
    return undefined
  }
}

/** Always reads from the log: a new reader must start with its current state, wherever its cursor is. */
async function readFirst(
  source: Source,
  options: ReadOptions,
  after: string | undefined,
): Promise<FeedEvent[]> {
  const events = await readAfter(source, options, after)
  if (options.organization_id === undefined && after !== undefined) source.shared.add(after, events)
  return events
}

/** `call` is the notification that the reader waits for next. It tells which one the reader has received. */
async function readShared(
  source: Source,
  options: ReadOptions,
  after: string | undefined,
  call: Ring,
): Promise<FeedEvent[]> {
  const { shared } = source
  const read = () => readFirst(source, options, after)
  if (options.organization_id !== undefined || after === undefined) return read()
  const { batch = usualBatch } = options
  return shared.find(after, batch) ?? shared.join(after, batch, call, read)
}

const usualBatch = 100

type ReadEvent = EventColumns & Position & { readonly running: number }

async function readAfter(
  { db, epochs }: Source,
  { organization_id, batch = usualBatch }: Omit<ReadOptions, 'signal'>,
  after: string | undefined,
): Promise<FeedEvent[]> {
  const rows = await db.query<ReadEvent>(
    readStatement(organization_id, batch),
    placeOf(organization_id, after),
    asRead,
  )
  if (rows[0]) epochs.see(rows[0].running)
  return rows.map(toFeedEvent)
}

export function readStatement(organization_id: string | undefined, batch: number): string {
  return `SELECT ${selectList(resources.event)}, t.epoch, t.transaction_id::text AS transaction_id, t.sequence, (SELECT feed_epoch()) AS running FROM events t
     WHERE ${laterThan(organization_id)} AND ${isSettled} ${inOrder} LIMIT ${Number(batch)}`
}

const isSettled =
  '(t.epoch, t.transaction_id) < ((SELECT feed_epoch()), (SELECT pg_snapshot_xmin(pg_current_snapshot())))'

async function isHeldBack(
  { db, epochs }: Source,
  { organization_id }: ReadOptions,
  after: string | undefined,
): Promise<boolean> {
  const [row] = await db.query<{ running: number; is_held_back: boolean }>(
    heldBackStatement(organization_id),
    placeOf(organization_id, after),
    asRead,
  )
  const { running, is_held_back } = present(row, 'an answer')
  epochs.see(running)
  return is_held_back
}

/** Not EXISTS, in which PostgreSQL ignores the order. */
export function heldBackStatement(organization_id: string | undefined): string {
  return `SELECT feed_epoch() AS running,
    (SELECT true FROM events t WHERE ${laterThan(organization_id)} ${inOrder} LIMIT 1) IS NOT NULL AS is_held_back`
}

const firstEpoch: Position = { epoch: 1, transaction_id: '0', sequence: '0' }

function laterThan(organization_id: string | undefined): string {
  return organization_id === undefined ? isLater : `t.organization_id = $4 AND ${isLater}`
}

/**
 * The parameters of `laterThan`. What an organization brought along from another installation lies in epoch 0.
 * It is part of its history, and nothing that consumers of the whole feed have to act on.
 */
function placeOf(organization_id: string | undefined, after: string | undefined): unknown[] {
  const given = parsePosition(after)
  const { epoch, transaction_id, sequence } =
    organization_id === undefined && given.epoch === 0 ? firstEpoch : given
  return [epoch, transaction_id, sequence, ...(organization_id === undefined ? [] : [organization_id])]
}

function toFeedEvent({ epoch, transaction_id, sequence, running: _running, ...row }: ReadEvent): FeedEvent {
  return {
    event: finishRow(resources.event)<StoredEvent>({ ...row, local_time: null }),
    position: formatPosition({ epoch, transaction_id, sequence }),
  }
}

async function findHead(db: Pool): Promise<string> {
  const [row] = await db.query<Position>(
    `SELECT t.epoch, t.transaction_id::text AS transaction_id, t.sequence FROM events t WHERE ${isSettled}
     ORDER BY t.epoch DESC, t.transaction_id DESC, t.sequence DESC LIMIT 1`,
  )
  return formatPosition(row ?? parsePosition(undefined))
}

async function measureLag(db: Pool): Promise<number> {
  const [row] = await db.query<{ lag: number | null }>(
    `SELECT extract(epoch FROM clock_timestamp() - t.recorded_at)::float8 AS lag FROM events t
     WHERE t.epoch = (SELECT feed_epoch()) AND t.transaction_id >= pg_snapshot_xmin(pg_current_snapshot()) ${inOrder} LIMIT 1`,
    [],
    asRead,
  )
  return Math.max(0, row?.lag ?? 0)
}
