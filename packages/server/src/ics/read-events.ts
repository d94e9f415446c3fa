import { contentLines, NotACalendar, type Property } from './content-lines.ts'

/** The properties of one VEVENT by name. Those of alarms inside it are left out. */
export type IcsEvent = ReadonlyMap<string, readonly Property[]>

const ofEvents = new Set([
  ...['UID', 'SUMMARY', 'STATUS', 'CLASS', 'DTSTART', 'DTEND', 'DURATION'],
  ...['RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID'],
])
const isRead = (name: string) => name === 'BEGIN' || name === 'END' || ofEvents.has(name)

/** Properties of one name that an event keeps. */
export const mostOfName = 1000

/** Yields the events of a file, and undefined now and then. Throws at the end if the file is not whole. */
export function* readEvents(text: string): Generator<IcsEvent | undefined> {
  const open: string[] = []
  let event: Map<string, Property[]> | undefined
  let calendars = 0
  for (const property of contentLines(text, isRead)) {
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
    else if (event && open.length === 2 && ofEvents.has(name)) keep(event, property)
  }
  if (open.length > 0 || calendars === 0) throw new NotACalendar('it has no END:VCALENDAR')
}

function keep(event: Map<string, Property[]>, property: Property): void {
  const held = event.get(property.name)
  if (!held) event.set(property.name, [property])
  else if (held.length < mostOfName) held.push(property)
}
