/** One property of a calendar file: `DTSTART;VALUE=DATE:20261225`. Names are in upper case. */
export interface Property {
  readonly name: string
  readonly params: ReadonlyMap<string, string>
  readonly value: string
}

/** Lines between two pauses. Long ones count for several. */
const pace = 200
const usual = 256
/** Characters of a property that is read. Only attachments and descriptions are longer, which nobody reads here. */
const longest = 64 * 1024

/** A file that is no calendar, or ends in the middle of one. */
export class NotACalendar extends Error {
  override name = 'NotACalendar'
}

/**
 * Yields the properties of a file (RFC 5545, 3.1) that `isRead` names, and undefined now and then so that others
 * get a turn. The others are not taken apart.
 */
export function* contentLines(
  text: string,
  isRead: (name: string) => boolean,
): Generator<Property | undefined> {
  let held: string[] = []
  let length = 0
  let count = 0
  for (const line of physicalLines(text)) {
    count += 1 + Math.floor(line.length / usual)
    if (count >= pace) {
      count = 0
      yield undefined
    }
    if (line.startsWith(' ') || line.startsWith('\t')) {
      length += line.length - 1
      if (line.length > 1 && length <= longest) held.push(line.slice(1))
      continue
    }
    const property = readProperty(held.join(''), length, isRead)
    if (property) yield property
    held = [line]
    length = line.length
  }
  const last = readProperty(held.join(''), length, isRead)
  if (last) yield last
}

function readProperty(line: string, length: number, isRead: (name: string) => boolean): Property | undefined {
  const name = (/^[\w-]*/.exec(line.slice(0, 100))?.[0] ?? '').toUpperCase()
  if (!isRead(name)) return line.includes(':') ? { name, params: none, value: '' } : undefined
  if (length > longest) throw new NotACalendar(`its ${name} is longer than ${longest} characters`)
  return parseLine(line)
}

const none: ReadonlyMap<string, string> = new Map()

/** Lines end with CRLF; files that were edited by hand often have LF alone. */
function* physicalLines(text: string): Generator<string> {
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    start = end + 1
  }
}

/** Parameters may be quoted, and then contain colons and semicolons. */
function parseLine(line: string): Property | undefined {
  const colon = valueStart(line)
  if (colon < 0) return undefined
  const [name = '', ...given] = splitOutsideQuotes(line.slice(0, colon))
  const params = given.map(param => {
    const [key = '', ...rest] = param.split('=')
    return [key.toUpperCase(), rest.join('=').replaceAll('"', '')] as const
  })
  return { name: name.toUpperCase(), params: new Map(params), value: line.slice(colon + 1) }
}

function valueStart(line: string): number {
  const plain = line.indexOf(':')
  if (plain < 0 || !line.slice(0, plain).includes('"')) return plain
  let isQuoted = false
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '"') isQuoted = !isQuoted
    else if (line[index] === ':' && !isQuoted) return index
  }
  return -1
}

function splitOutsideQuotes(text: string): string[] {
  return text.match(/(?:"[^"]*"|[^;])+/g) ?? []
}

/** Undoes the escapes of texts (RFC 5545, 3.3.11). */
export function unescapeText(value: string): string {
  return value.replace(/\\([\\;,nN])/g, (_, character: string) =>
    character === 'n' || character === 'N' ? '\n' : character,
  )
}
