/** The text format of COPY: a line for each row, tabs between its columns, and escapes within them. */

const newline = 0x0a

/** Yields the content again, in parts of at least so many bytes that end with the end of a row. */
export async function* inWholeRows(
  content: AsyncIterable<Uint8Array>,
  least: number,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    const end = length + chunk.length < least ? 0 : chunk.lastIndexOf(newline) + 1
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)])
      held = []
      length = 0
    }
    // A copy: the source may use its memory again.
    if (end < chunk.length) held.push(Buffer.from(chunk.subarray(end)))
    length += chunk.length - end
  }
  if (length > 0) yield Buffer.concat(held)
}

/** Changes the columns of each row. They are given as they stand in the line, one character for each byte. */
export async function* mapRows(
  content: AsyncIterable<Uint8Array>,
  change: (columns: string[]) => void,
): AsyncGenerator<Buffer> {
  for await (const part of inWholeRows(content, 1)) {
    const lines = part.toString('latin1').split('\n')
    lines.pop()
    const changed = lines.map(line => {
      const columns = line.split('\t')
      change(columns)
      return `${columns.join('\t')}\n`
    })
    yield Buffer.from(changed.join(''), 'latin1')
  }
}

export function countRows(part: Uint8Array): number {
  let count = 0
  for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) count++
  return count
}

const nothing = '\\N'
const hex = '\\\\x'

/** Returns the bytes of a bytea column, or undefined if it is null. */
export function readBytes(column: string | undefined): Buffer | undefined {
  return column === undefined || column === nothing ? undefined : Buffer.from(column.slice(hex.length), 'hex')
}

export function writeBytes(bytes: Uint8Array): string {
  return hex + Buffer.from(bytes).toString('hex')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Writes text, one character for each byte of its UTF-8. */
export function writeText(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return bytes.replace(/[\\\n\r\t]/g, character => escapes[character] ?? character)
}
