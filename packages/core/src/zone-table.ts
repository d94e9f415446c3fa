/**
 * What a time zone does over some years, as plain JSON. Inside its span the table rules, so that the service,
 * its devices and browsers agree whatever zone data their runtimes have; outside the runtime is asked.
 */
export interface ZoneTable {
  /** The release of the time zone database that the table is from, such as `2026b`. */
  release: string
  /** From inclusive, until exclusive: timestamps in UTC, in whole seconds. */
  from: string
  until: string
  /** Seconds east of UTC at `from`. */
  offset: number
  /** Sorted. Each offset, in seconds east of UTC, is in force from `at` on. */
  changes: readonly { at: string; offset: number }[]
}
