import type { JournalEvent } from '@gatehouse/api'

/**
 * What goes first when the journal is full: of its older half the states, signals and denials, which tell least, then
 * the oldest events of whatever kind. Where neighbours go, one `lost` event with the number of the last of them stands
 * for all, so that the numbers have no gap; one alone would gain nothing and stays.
 */
export interface JournalEntry {
  readonly sequence: number
  readonly type: JournalEvent['type']
  /** The first event it stands for: its own number unless it is a `lost` one. */
  readonly from: number
}

/** Everything from one number to another makes room for one `lost` event. */
interface Loss {
  readonly from: number
  readonly to: number
  /** The entry numbers that are removed. */
  readonly first_sequence: number
}

const openings: ReadonlySet<JournalEvent['type']> = new Set(['use', 'trigger'])

/** At least `needed` entries become free, if there are as many. `oldest` is the older part of the journal, in order. */
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

/** The same event in a journal that begins behind `offset` of its old one. */
export function renumbered<Event extends JournalEvent>(event: Event, offset: number): Event {
  const sequence = event.sequence - offset
  if (event.type !== 'lost') return { ...event, sequence }
  return { ...event, sequence, from_sequence: Math.max(1, event.from_sequence - offset) }
}

/** The event that stands for a loss. It happened when the last of the lost ones did. */
export function lostEvent({ from, to }: Loss, occurred_at: string): JournalEvent {
  return {
    type: 'lost',
    sequence: to,
    occurred_at,
    from_sequence: from,
    count: to - from + 1,
  } as JournalEvent
}
