import { contentLines, type Property } from './content-lines.ts'

/** The properties of one VEVENT by name. Those of alarms inside it are left out. */
export type IcsEvent = ReadonlyMap<string, readonly Property[]>

/** A file that is no calendar, or ends in the middle of one. */
export class NotACalendar extends Error {
  override name = 'NotACalendar'
}

/** Yields the events of a file, and undefined now and then. Throws at the end if the file is not whole. */
export function* readEvents(text: string): Generator<IcsEvent | undefined> {
  const open: string[] = []
  let event: Map<string, Property[]> | undefined
  let calendars = 0
  for (const property of contentLines(text)) {
    if (!property) {
      yield undefined
      continue
    }
    const { name, value } = property
    const component = value.trim().toUpperCase()
    if (name === 'BEGIN') {
      if (open.length === 0 && component !== 'VCALENDAR')
        throw new NotACalendar('it begins with something else')
      open.push(component)
      if (open.length === 2 && component === 'VEVENT') event = new Map()
    } else if (name === 'END') {
      if (open.pop() !== component) throw new NotACalendar('its components are not nested')
      if (open.length === 0) calendars++
      if (open.length === 1 && event) {
        yield event
        event = undefined
      }
    } else if (open.length === 0) throw new NotACalendar('it has text outside of a calendar')
    else if (event && open.length === 2) keep(event, property)
  }
  if (open.length > 0 || calendars === 0) throw new NotACalendar('it has no END:VCALENDAR')
}

function keep(event: Map<string, Property[]>, property: Property): void {
  const held = event.get(property.name)
  if (held) held.push(property)
  else event.set(property.name, [property])
}
