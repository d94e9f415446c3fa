import { addSeconds } from '@gatehouse-access/core'
import { amendEvents } from '../../../audit/amendments/amend.ts'
import { retentionAct } from '../../../audit/amendments/amendment.ts'
import { unlinkEvent } from '../../../audit/amendments/unlink.ts'
import type { AuditKey } from '../../../audit/keys.ts'
import type { Database } from '../../../database/db.ts'
import { tryLock } from '../../../database/locks.ts'
import { emptyDeliveries } from '../../../erasing/empty-deliveries.ts'
import { isEventHeld } from '../../../erasing/holds.ts'
import type { EventColumns } from '../../../events/feed-event.ts'
import { type Expiry, expiring } from '../event-classes.ts'
import { countAmended, dayOf } from './days.ts'
import { keyOfHolds } from './holds.ts'
import { emptyEvent, holdsValues } from './left-of.ts'
import { beginning, type Progress, readProgress, storeProgress } from './progress.ts'

/** What is to expire in an organization. */
export interface Expiring {
  readonly organization_id: string
  readonly expiry: Expiry
  /** What happened before this has expired. */
  readonly before: string
  readonly now: string
}

export interface Batch {
  /** Events that were looked at. */
  readonly examined: number
  readonly amended: number
  /** True if there is nothing more to do now. */
  readonly is_done: boolean
}

/** Seconds for which webhooks keep what they sent. */
const bodiesKept = 30 * 86_400

const nothing: Batch = { examined: 0, amended: 0, is_done: true }

/**
 * Lets the next events expire, in the transaction of the caller. First everything in the order in which it happened; then what was
 * recorded since and happened before that. Another process that works on the organization has the lock.
 */
export async function expireBatch(
  db: Database,
  key: AuditKey,
  expiring: Expiring,
  late: Late,
  size: number,
): Promise<Batch> {
  if (!(await tryLock(db, 'retention_of_organization', expiring.organization_id))) return nothing
  const holds = await keyOfHolds(db, expiring.organization_id, expiring.now)
  const held = await readProgress(db, expiring.organization_id, expiring.expiry, late.from)
  const progress = mayHaveEnded(held, holds) ? { ...held, ...beginning, spared_by: null } : held
  const inOrder = await findNext(db, expiring, progress, size)
  const found = inOrder.length > 0 ? inOrder : await findLate(db, expiring, progress, late.until, size)
  const amended = await expireFound(db, key, expiring, found)
  await storeProgress(
    db,
    expiring.organization_id,
    expiring.expiry,
    advance(progress, inOrder.length > 0, found.slice(0, amended.settled), amended.has_spared ? holds : null),
  )
  const is_done = amended.settled < found.length || (inOrder.length === 0 && found.length < size)
  return { examined: found.length, amended: amended.count, is_done }
}

/** The times between which events were recorded that may have come late. */
export interface Late {
  readonly from: string
  readonly until: string
}

function mayHaveEnded({ spared_by }: Progress, holds: string | null): boolean {
  return spared_by !== null && spared_by !== holds
}

function advance(
  progress: Progress,
  isInOrder: boolean,
  settled: readonly Found[],
  spared_by: string | null,
): Progress {
  const last = settled.at(-1)
  const place = !last
    ? {}
    : isInOrder
      ? { created_at: last.created_at, event_id: last.id }
      : { recorded_at: last.recorded_at, late_event_id: last.id }
  return { ...progress, ...place, spared_by: spared_by ?? progress.spared_by }
}

/** The content is read only of events that have what expires. */
interface Found {
  readonly id: string
  readonly created_at: string
  readonly recorded_at: string
  readonly subject: EventColumns['subject'] | null
  readonly object: EventColumns['object'] | null
  readonly is_held: boolean | null
}

function findNext(
  db: Database,
  { organization_id, expiry, before, now }: Expiring,
  { created_at, event_id }: Progress,
  size: number,
): Promise<Found[]> {
  return db.query<Found>(
    `SELECT t.id, t.created_at, t.recorded_at, CASE WHEN ${expiring[expiry]} THEN t.subject END AS subject,
       CASE WHEN ${expiring[expiry]} THEN t.object END AS object, CASE WHEN ${expiring[expiry]} THEN ${isEventHeld('t', '$6')} END AS is_held
     FROM events t WHERE t.organization_id = $1 AND (t.created_at, t.id) > ($2::timestamptz, $3) AND t.created_at < $4
     ORDER BY t.created_at, t.id LIMIT $5`,
    [organization_id, created_at, event_id, before, size, now],
  )
}

function findLate(
  db: Database,
  { organization_id, expiry, before, now }: Expiring,
  { recorded_at, late_event_id }: Progress,
  until: string,
  size: number,
): Promise<Found[]> {
  return db.query<Found>(
    `SELECT t.id, t.created_at, t.recorded_at, CASE WHEN t.created_at < $6 AND ${expiring[expiry]} THEN t.subject END AS subject,
       CASE WHEN t.created_at < $6 AND ${expiring[expiry]} THEN t.object END AS object,
       CASE WHEN t.created_at < $6 AND ${expiring[expiry]} THEN ${isEventHeld('t', '$7')} END AS is_held
     FROM events t WHERE t.organization_id = $1 AND (t.recorded_at, t.id) > ($2::timestamptz, $3) AND t.recorded_at < $4
     ORDER BY t.recorded_at, t.id LIMIT $5`,
    [organization_id, recorded_at, late_event_id, until, size, before, now],
  )
}

interface Outcome {
  readonly count: number
  /** How many of the events found are settled: those behind an event that is not linked yet are not. */
  readonly settled: number
  readonly has_spared: boolean
}

async function expireFound(
  db: Database,
  key: AuditKey,
  { organization_id, expiry, now }: Expiring,
  found: readonly Found[],
): Promise<Outcome> {
  const due = found.filter(event => hasContent(event) && (expiry !== 'other' || holdsValues(event)))
  const free = due.filter(({ is_held }) => !is_held)
  const has_spared = free.length < due.length
  if (free.length === 0) return { count: 0, settled: found.length, has_spared }
  const day = dayOf(now)
  const ids = free.map(({ id }) => id)
  const { events, early } = await amendEvents(
    db,
    { key, act: { organization_id, act: retentionAct(day) } },
    ids,
    left[expiry],
  )
  if (events.length > 0) await countAmended(db, organization_id, day, events.length)
  const recent = events.filter(({ recorded_at }) => recorded_at > addSeconds(now, -bodiesKept))
  await emptyDeliveries(db, { organization_id, event_ids: recent.map(({ id }) => id) }, now)
  const first = early.length > 0 ? found.findIndex(({ id }) => early.includes(id)) : found.length
  return { count: events.length, settled: first, has_spared }
}

function hasContent(event: Found): event is Found & Pick<EventColumns, 'subject' | 'object'> {
  return event.object !== null
}

const gone = () => undefined
const left: Readonly<Record<Expiry, (event: EventColumns) => EventColumns | undefined>> = {
  access_deleted: gone,
  device: gone,
  access: event => unlinkEvent(event),
  other: emptyEvent,
}
