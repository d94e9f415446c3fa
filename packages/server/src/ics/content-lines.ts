/** One property of a calendar file: `DTSTART;VALUE=DATE:20261225`. Names are in upper case. */
export interface Property {
  readonly name: string
  readonly params: ReadonlyMap<string, string>
  readonly value: string
}

/** Lines between two pauses. */
const pace = 200

/** Yields the properties of a file (RFC 5545, 3.1), and undefined now and then so that others get a turn. */
export function* contentLines(text: string): Generator<Property | undefined> {
  let held: string[] = []
  let count = 0
  for (const line of physicalLines(text)) {
    if (++count % pace === 0) yield undefined
    if (line.startsWith(' ') || line.startsWith('\t')) {
      held.push(line.slice(1))
      continue
    }
    const property = parseLine(held.join(''))
    if (property) yield property
    held = [line]
  }
  const last = parseLine(held.join(''))
  if (last) yield last
}

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
