import type { JournalEvent } from '@gatehouse-access/api'
import { toMicroseconds } from '@gatehouse-access/core'
import type { Recorder } from './recorder.ts'
import type { Storage } from './storage/storage.ts'

/** What the service reports about a journal when a device connects. */
export interface KnownJournal {
  readonly acknowledged_sequence: number
  readonly acknowledged_occurred_at?: string | null
}

const pageSize = 500

/**
 * Detects whether the service knows a different journal under this id, because this disk or the service was
 * restored from an older copy and sequence numbers were used twice. Further uploads would then lose events as
 * duplicates, or never get past a gap. Returns the sequence after which a new journal must start; undefined
 * when both agree.
 */
export async function findDivergence(
  storage: Storage,
  recorder: Recorder,
  { acknowledged_sequence: known, acknowledged_occurred_at: knownAt }: KnownJournal,
): Promise<number | undefined> {
  const { acknowledged, last_sequence } = recorder
  if (known === acknowledged) return undefined
  if (known < acknowledged) return acknowledged
  if (known <= last_sequence && !(await isOther(storage, known, knownAt))) return undefined
  return findFirstUnknown(storage, acknowledged, knownAt)
}

/** Two events with the same sequence and the same microsecond are the same event. */
async function isOther(storage: Storage, sequence: number, at: string | null | undefined): Promise<boolean> {
  const [event] = await storage.readJournal(sequence - 1, 1)
  if (event?.sequence !== sequence || !at) return false
  return toMicroseconds(event.occurred_at) !== toMicroseconds(at)
}

/**
 * The service has the events up to the time of its last event. Events that it may lack are sent, because a
 * duplicate is better than a loss. Times recorded with an unsure clock prove nothing.
 */
async function findFirstUnknown(
  storage: Storage,
  acknowledged: number,
  knownAt: string | null | undefined,
): Promise<number> {
  const isKnown = ({ occurred_at, clock_unsure }: JournalEvent) =>
    !!knownAt && !clock_unsure && toMicroseconds(occurred_at) <= toMicroseconds(knownAt)
  for (let offset = acknowledged; ; ) {
    const page = await storage.readJournal(offset, pageSize)
    const unknown = page.find(event => !isKnown(event))
    if (unknown) return (unknown.type === 'lost' ? unknown.from_sequence : unknown.sequence) - 1
    if (page.length < pageSize) return page.at(-1)?.sequence ?? offset
    offset = page.at(-1)?.sequence ?? offset
  }
}
