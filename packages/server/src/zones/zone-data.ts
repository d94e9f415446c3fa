import type { ZoneTable } from '@gatehouse-access/core'
import type { Clock } from '../flow/clock.ts'
import type { ZoneSource } from './course.ts'
import { runtimeOffset, runtimeSource } from './runtime-source.ts'
import { isSameCourse, tableOf } from './table.ts'

/** An instant at which the clocks of a zone change. Offsets are in seconds east of UTC. */
export interface ClockChange {
  readonly at: string
  readonly offset_before: number
  readonly offset_after: number
}

/** What this service knows of time zones. Cloud, controllers and pages decide and show times by it. */
export interface ZoneData {
  /** The release of the time zone database, such as 2026b. */
  readonly release: string
  /** All names that may be offered, in order. */
  readonly names: readonly string[]
  /** Returns the name as the data spells it, whatever its case; undefined for an unknown zone. */
  find(name: string): string | undefined
  isKnown(name: string): boolean
  /** Returns the current table; of an unknown zone the last table that was known; null if there never was one. */
  table(name: string): ZoneTable | null
  /** Returns the first clock change after an instant, or null if the table has none. */
  nextChange(name: string, after: string): ClockChange | null
  /** Returns the seconds that local time is ahead of UTC; beyond the table by the runtime, and 0 if nobody knows. */
  offsetAt(name: string, at: string): number
}

/**
 * Tables span whole years, so that they stay equal for a year. A table that says the same as the last one known
 * is that one, with the release it came from: a new release reaches only the devices whose zones it changes.
 */
export class ZoneTables implements ZoneData {
  readonly #source: ZoneSource
  readonly #clock: Clock
  readonly #last = new Map<string, ZoneTable>()
  readonly #made = new Map<string, ZoneTable | null>()
  #year = 0
  /** Zones that sites are in and the data does not know, with the number of sites. */
  unknown: ReadonlyMap<string, number> = new Map()

  constructor(source: ZoneSource, clock: Clock) {
    this.#source = source
    this.#clock = clock
  }

  get release(): string {
    return this.#source.release
  }

  get names(): readonly string[] {
    return this.#source.names
  }

  find(name: string): string | undefined {
    return this.#source.find(name)
  }

  isKnown(name: string): boolean {
    return this.#source.find(name) !== undefined
  }

  /** Takes tables that were stored before. */
  remember(tables: Iterable<readonly [string, ZoneTable]>): void {
    for (const [name, table] of tables) this.#last.set(name, table)
    this.#made.clear()
  }

  /** Whether the current table is stored as the last one known. */
  isKept(name: string): boolean {
    const table = this.table(name)
    return table !== null && table === this.#last.get(name)
  }

  table(name: string): ZoneTable | null {
    const year = Number(this.#clock.now().slice(0, 4))
    if (year !== this.#year) this.#made.clear()
    this.#year = year
    const known = this.#made.get(name)
    if (known !== undefined) return known
    const table = this.#make(name, year)
    this.#made.set(name, table)
    return table
  }

  #make(name: string, year: number): ZoneTable | null {
    const last = this.#last.get(name) ?? null
    if (this.isKnown(name)) {
      const table = tableOf(this.#source, name, year)
      return last && isSameCourse(last, table) ? last : table
    }
    // Before the first start with a folder, the runtime was what the service decided by.
    return last ?? (runtimeSource.find(name) === undefined ? null : tableOf(runtimeSource, name, year))
  }

  nextChange(name: string, after: string): ClockChange | null {
    const table = this.table(name)
    const instant = Date.parse(after)
    const index = table ? table.changes.findIndex(({ at }) => Date.parse(at) > instant) : -1
    const change = table?.changes[index]
    if (!table || !change) return null
    const offset_before = table.changes[index - 1]?.offset ?? table.offset
    return { at: change.at, offset_before, offset_after: change.offset }
  }

  offsetAt(name: string, at: string): number {
    const table = this.table(name)
    const instant = Date.parse(at)
    const isInside = table && instant >= Date.parse(table.from) && instant < Date.parse(table.until)
    if (!isInside && runtimeSource.find(name) !== undefined) return runtimeOffset(name, instant)
    return table?.changes.findLast(change => Date.parse(change.at) <= instant)?.offset ?? table?.offset ?? 0
  }
}
