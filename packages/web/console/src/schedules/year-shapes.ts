import type { PreviewDay } from './schedule.ts'
import { type Places, weeksShown } from './year.ts'

/** How a day looks: `exception closed`. */
export type DayLook = `${PreviewDay['source']} ${'open' | 'closed'}`

/** The distance between the days of the picture, in its own units. */
export const pitch = 18
export const pictureBox = `0 0 ${weeksShown * pitch} ${7 * pitch}`

/** The rest of a day's outline after the point at which it starts, with rounded corners. */
const outline =
  'h10a2.5 2.5 0 0 1 2.5 2.5v10a2.5 2.5 0 0 1-2.5 2.5h-10a2.5 2.5 0 0 1-2.5-2.5v-10a2.5 2.5 0 0 1 2.5-2.5z'

export function shapeOf(place: number): string {
  return `M${Math.floor(place / 7) * pitch + 4} ${(place % 7) * pitch + 1.5}${outline}`
}

/** A folded corner. */
function cornerOf(place: number): string {
  return `M${Math.floor(place / 7) * pitch + 1} ${(place % 7) * pitch + 1}h7.5l-7.5 7.5z`
}

export interface Shapes {
  /** One shape for all days of a look. */
  readonly looks: ReadonlyMap<DayLook, string>
  /** The corners of days on which the clocks change. */
  readonly corners: string
}

export function shapesOf(places: Places): Shapes {
  const looks = new Map<DayLook, string>()
  let corners = ''
  for (const [place, day] of places.entries()) {
    if (!day) continue
    const look = lookOf(day)
    looks.set(look, (looks.get(look) ?? '') + shapeOf(place))
    if (day.clock_change) corners += cornerOf(place)
  }
  return { looks, corners }
}

function lookOf({ source, ranges }: PreviewDay): DayLook {
  return `${source} ${ranges.length > 0 ? 'open' : 'closed'}`
}
