import type { JournalEvent } from '@gatehouse-access/api'

/**
 * What a full journal drops: from its older half the states, signals and denials, which matter least, then
 * the oldest events of any type. Adjacent dropped events are replaced by one `lost` event with the last of
 * their sequences, so that the sequences have no gap. A single event is kept, because replacing it would free
 * nothing.
 */
export interface JournalEntry {
  readonly sequence: number
  readonly type: JournalEvent['type']
  /** The first event that it represents: its own sequence, except for a `lost` event. */
  readonly from: number
}

/** A range of events to be replaced by one `lost` event. */
interface Loss {
  readonly from: number
  readonly to: number
  /** The sequence of the first entry to remove. `to` is the last. */
  readonly first_sequence: number
}

const openings: ReadonlySet<JournalEvent['type']> = new Set([
  'use',
  'trigger',
  'exit',
  'mode',
  'emergency',
  'fire',
])

/** Frees at least `needed` entries, if there are as many. `oldest` is the older part, in order. */
export function planLosses(oldest: readonly JournalEntry[], needed: number): Loss[] {
  const losses = runsOf(oldest, entry => !openings.has(entry.type))
  let freed = 0
  const plan: Loss[] = []
  for (const run of losses) {
    if (freed >= needed) break
    plan.push(lossOf(run))
    freed += run.length - 1
  }
  return freed >= needed ? plan : [lossOf(oldest.slice(0, needed + 1))]
}

function runsOf(entries: readonly JournalEntry[], fits: (entry: JournalEntry) => boolean): JournalEntry[][] {
  const runs: JournalEntry[][] = []
  let run: JournalEntry[] = []
  for (const entry of entries) {
    if (fits(entry)) run.push(entry)
    else {
      runs.push(run)
      run = []
    }
  }
  return [...runs, run].filter(({ length }) => length > 1)
}

function lossOf(run: readonly JournalEntry[]): Loss {
  const [first, last] = [run[0] as JournalEntry, run.at(-1) as JournalEntry]
  return { from: first.from, to: last.sequence, first_sequence: first.sequence }
}

/** Returns the event as numbered in a journal that starts after `offset` of the old journal. */
export function renumbered<Event extends JournalEvent>(event: Event, offset: number): Event {
  const sequence = event.sequence - offset
  if (event.type !== 'lost') return { ...event, sequence }
  return { ...event, sequence, from_sequence: Math.max(1, event.from_sequence - offset) }
}

/** Returns the event that represents a loss. Its time is that of the last lost event. */
export function lostEvent({ from, to }: Loss, occurred_at: string): JournalEvent {
  return {
    type: 'lost',
    sequence: to,
    occurred_at,
    from_sequence: from,
    count: to - from + 1,
  } as JournalEvent
}
