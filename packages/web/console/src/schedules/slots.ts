export interface Range {
  readonly start: number
  readonly end: number
}
export interface Weekday {
  readonly ranges: readonly Range[]
}

/** The slot size of the grid: half an hour, in seconds. */
export const slot = 1800
export const slotsADay = 86_400 / slot

/** Returns whether a half hour is fully, partly or not covered. */
export function coverOf({ ranges }: Weekday, index: number): 'full' | 'part' | 'none' {
  const [from, to] = [index * slot, (index + 1) * slot]
  const covered = ranges.reduce(
    (sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  )
  return covered === 0 ? 'none' : covered === slot ? 'full' : 'part'
}

/** Returns the day with these half hours set or cleared. Times outside of them keep their exact seconds. */
export function paint({ ranges }: Weekday, first: number, last: number, is_on: boolean): Weekday {
  const [from, to] = [Math.min(first, last) * slot, (Math.max(first, last) + 1) * slot]
  const outside = ranges.flatMap(({ start, end }) =>
    [
      { start, end: Math.min(end, from) },
      { start: Math.max(start, to), end },
    ].filter(range => range.end > range.start),
  )
  const all = is_on ? [...outside, { start: from, end: to }] : outside
  return { ranges: join([...all].sort((a, b) => a.start - b.start)) }
}

/** Merges ranges that touch or overlap. */
function join(ranges: readonly Range[]): Range[] {
  const joined: { start: number; end: number }[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last && last.end >= range.start) last.end = Math.max(last.end, range.end)
    else joined.push({ ...range })
  }
  return joined
}

export function clockOf(seconds: number): string {
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${part(seconds / 3600)}:${part((seconds % 3600) / 60)}`
}
