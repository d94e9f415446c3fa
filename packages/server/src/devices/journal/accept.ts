import type { JournalEvent } from '@gatehouse-access/api'
import { isLate } from '../../alarms/condition.ts'
import { followClock } from '../../alarms/sources/device-clock.ts'
import type { Database } from '../../database/db.ts'
import type { Clock } from '../../flow/clock.ts'
import { present } from '../../flow/present.ts'
import { noteStrangers } from '../../recovery/devices-ahead.ts'
import type { Recovery } from '../../recovery/recovery.ts'
import { serviceCaller } from '../../store/caller.ts'
import type { EventDraft } from '../../store/event-log.ts'
import { type Marks, storeReports } from '../../store/reports.ts'
import type { Write } from '../../store/write.ts'
import type { Identity } from '../authenticate.ts'
import { followDevice, type Timed } from './door-effects.ts'
import { marksOf, type Times, tell } from './drafts.ts'
import { countGuesses, guessOf } from './guesses.ts'
import { findReferences, type ZoneOffsets } from './references.ts'
import { noteUnknownCards, unknownCardOf } from './unknown-cards.ts'

export interface Batch {
  readonly identity: Identity
  readonly connection_id: string
  readonly journal_id: string
  readonly events: readonly JournalEvent[]
}

/** `out_of_order`: gap in the events. `unauthenticated`: invalid secret. `replaced`: connected elsewhere. */
export type Accepted =
  | { readonly acknowledged: number; readonly stored: number }
  | { readonly refused: 'out_of_order' | 'unauthenticated' | 'replaced'; readonly message: string }

interface Journal {
  readonly journal_id: string
  readonly acknowledged: number
  readonly last_occurred_at: string | null
  /** Whether the last event came from a clock that was not to be trusted. */
  readonly clock_unsure: boolean
}

/**
 * Stores a batch and its acknowledged sequence in one transaction, so a repeated upload stores nothing. The
 * device row is locked, so a batch with a revoked secret stores nothing either. Independent queries run
 * concurrently, because under load a batch mostly waits.
 */
export function acceptEvents(
  context: { db: Database; clock: Clock; recovery: Pick<Recovery, 'is_on'>; zones: ZoneOffsets },
  batch: Batch,
): Promise<Accepted> {
  const gap = findGap(batch.events)
  if (gap) return Promise.resolve({ refused: 'out_of_order', message: gap })
  const { organization_id, device_id } = batch.identity
  return context.db.transaction(async db => {
    const [objection, journals, references] = await Promise.all([
      findObjection(db, batch),
      holdJournals(db, batch),
      findReferences({ db, zones: context.zones }, organization_id, device_id, batch.events),
    ])
    if (objection) return objection
    const acknowledged = journals.find(row => row.journal_id === batch.journal_id)?.acknowledged ?? 0
    const fresh = batch.events.filter(({ sequence }) => sequence > acknowledged)
    const [first] = fresh
    if (!first) return { acknowledged, stored: 0 }
    if (firstSequence(first) > acknowledged + 1)
      return {
        refused: 'out_of_order',
        message: `event ${acknowledged + 1} is missing before ${firstSequence(first)}`,
      }
    const now = context.clock.now()
    const times = clampTimes(fresh, latestOf(journals, references.device.created_at), now)
    const drafts: EventDraft[] = fresh.flatMap((event, index) => {
      const time = present(times[index], 'the time of an event')
      const told = tell(references, event, time.created_at)
      return told ? [{ organization_id, recorded_at: now, ...told, ...time }] : []
    })
    const happened = fresh.map((event, index) => ({ event, at: times[index]?.created_at ?? now }))
    const marks = fresh.map((event, index) => marksOf(references, event, times[index]?.created_at ?? now))
    const write = { db, caller: serviceCaller(organization_id), now }
    const guesses = fresh.flatMap((event, index) =>
      guessOf(references, event, times[index]?.created_at ?? now),
    )
    await Promise.all([
      storeReports(write, drafts, joinMarks(marks)),
      acknowledge(db, batch, present(fresh.at(-1), 'an event'), times.at(-1)?.created_at ?? now),
    ])
    await countGuesses(write, references.device, guesses)
    await noteUnknownCards(
      write,
      references.device,
      happened.flatMap(({ event, at }) => unknownCardOf(references, event, at)),
    )
    await followDevice(write, references, happened)
    await followClocks(write, device_id, wasUnsure(journals, batch), happened)
    if (context.recovery.is_on)
      await noteStrangers(db, batch.identity, strangersIn(fresh, references.members), now)
    if (journals.length >= mostJournals) await forgetJournals(db, batch)
    return { acknowledged: fresh.at(-1)?.sequence ?? acknowledged, stored: fresh.length }
  })
}

function strangersIn(events: readonly JournalEvent[], known: ReadonlySet<string>): string[] {
  const named = events.flatMap(event => ('member_id' in event ? (event.member_id ?? []) : []))
  return [...new Set(named)].filter(id => !known.has(id))
}

function holdJournals(db: Database, { identity }: Batch): Promise<Journal[]> {
  return db.query<Journal>(
    `SELECT journal_id, acknowledged_sequence::float8 AS acknowledged, last_occurred_at, clock_unsure FROM device_journals
     WHERE organization_id = $1 AND device_id = $2 FOR UPDATE`,
    [identity.organization_id, identity.device_id],
  )
}

/** A device that begins a journal has a new disk: what it said of its clock before is in the others. */
function wasUnsure(journals: readonly Journal[], { journal_id }: Batch): boolean {
  const own = journals.find(row => row.journal_id === journal_id)
  return own ? own.clock_unsure : journals.some(row => row.clock_unsure)
}

async function followClocks(
  write: Write,
  device_id: string,
  wasUnsure: boolean,
  happened: readonly Timed[],
): Promise<void> {
  const begun = wasUnsure ? undefined : happened.find(({ event }) => event.clock_unsure)
  const last = present(happened.at(-1), 'an event')
  const tell = (at: string, is_unsure: boolean) =>
    followClock(write.db, write, { device_id, is_unsure, at, is_late: isLate(at, write.now) })
  if (begun) await tell(begun.at, true)
  if ((wasUnsure || begun) && !last.event.clock_unsure) await tell(last.at, false)
}

/** No event can be older than the device itself. */
function latestOf(journals: readonly Journal[], createdAt: string): string {
  const times = [createdAt, ...journals.map(row => row.last_occurred_at ?? '')].sort()
  return times.at(-1) ?? ''
}

async function acknowledge(
  db: Database,
  { identity, journal_id }: Batch,
  { sequence, occurred_at, clock_unsure = false }: JournalEvent,
  recordedAs: string,
): Promise<void> {
  await db.query(
    `INSERT INTO device_journals (organization_id, device_id, journal_id, acknowledged_sequence, last_occurred_at, acknowledged_occurred_at, clock_unsure)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (organization_id, device_id, journal_id) DO UPDATE SET acknowledged_sequence = excluded.acknowledged_sequence,
       last_occurred_at = excluded.last_occurred_at, acknowledged_occurred_at = excluded.acknowledged_occurred_at,
       clock_unsure = excluded.clock_unsure`,
    [
      identity.organization_id,
      identity.device_id,
      journal_id,
      sequence,
      recordedAs,
      occurred_at,
      clock_unsure,
    ],
  )
}

/** Journals kept per device. A device starts a journal with each new disk, so the number must be bounded. */
const mostJournals = 32

async function forgetJournals(db: Database, { identity, journal_id }: Batch): Promise<void> {
  await db.query(
    `DELETE FROM device_journals WHERE organization_id = $1 AND device_id = $2 AND journal_id IN (
       SELECT journal_id FROM device_journals WHERE organization_id = $1 AND device_id = $2 AND journal_id <> $3
       ORDER BY last_occurred_at DESC, journal_id OFFSET ${mostJournals - 1})`,
    [identity.organization_id, identity.device_id, journal_id],
  )
}

/** A `lost` event stands for a range of sequence numbers. */
function firstSequence(event: JournalEvent): number {
  return event.type === 'lost' ? event.from_sequence : event.sequence
}

function findGap(events: readonly JournalEvent[]): string | undefined {
  for (const [index, event] of events.entries()) {
    const before = events[index - 1]
    if (firstSequence(event) > event.sequence) return `event ${event.sequence} begins after it ends`
    if (before && firstSequence(event) !== before.sequence + 1)
      return `event ${before.sequence} is followed by ${firstSequence(event)}`
  }
  return undefined
}

async function findObjection(
  db: Database,
  { identity, connection_id }: Batch,
): Promise<Accepted | undefined> {
  const { organization_id, device_id, secret_hash } = identity
  const [devices, held] = await Promise.all([
    db.query<{ is_valid: boolean }>(
      `SELECT NOT is_deleted AND secret_hash IS NOT DISTINCT FROM $3 AS is_valid FROM devices
       WHERE organization_id = $1 AND id = $2 FOR SHARE`,
      [organization_id, device_id, secret_hash],
    ),
    db.query(
      'SELECT 1 FROM device_connections WHERE organization_id = $1 AND device_id = $2 AND connection_id = $3',
      [organization_id, device_id, connection_id],
    ),
  ])
  if (!devices[0]?.is_valid)
    return { refused: 'unauthenticated', message: 'the secret of the device is no longer valid' }
  return held.length > 0 ? undefined : { refused: 'replaced', message: 'the device is connected elsewhere' }
}

/** Clamps each time between the device's previous event, or its creation, and now. */
function clampTimes(events: readonly JournalEvent[], last: string, now: string): Times[] {
  let previous = last
  return events.map(({ occurred_at, clock_unsure }) => {
    const created_at = occurred_at < previous ? previous : occurred_at > now ? now : occurred_at
    previous = created_at
    return { created_at, clock_adjusted: created_at !== occurred_at || clock_unsure === true }
  })
}

function joinMarks(all: readonly Marks[]): Marks {
  return { used: all.flatMap(({ used }) => used), states: all.flatMap(({ states }) => states) }
}

export interface Acknowledged {
  readonly acknowledged_sequence: number
  readonly acknowledged_occurred_at?: string | null
}

/** How much of a journal is stored. */
export async function findAcknowledged(
  db: Database,
  { organization_id, device_id }: Identity,
  journalId: string,
): Promise<Acknowledged> {
  const [row] = await db.query<Acknowledged & object>(
    `SELECT acknowledged_sequence::float8 AS acknowledged_sequence, acknowledged_occurred_at FROM device_journals
     WHERE organization_id = $1 AND device_id = $2 AND journal_id = $3`,
    [organization_id, device_id, journalId],
  )
  return row ?? { acknowledged_sequence: 0 }
}
