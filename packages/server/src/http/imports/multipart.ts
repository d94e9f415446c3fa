import { invalid } from '@gatehouse-access/api'

/** What to do with the parts of a form. */
export interface FormSink {
  /** A part with a value, such as the settings. */
  onField(name: string, text: string): void
  /** The next bytes of the file. */
  onFile(bytes: Buffer): Promise<void>
  /** The file begins. */
  onFileBegin(head: { readonly filename: string | undefined; readonly type: string | undefined }): void
}

const mostHead = 8 * 1024
const mostField = 256 * 1024
const [blank, dashes] = [Buffer.from('\r\n\r\n'), Buffer.from('--')]

interface Part {
  readonly name: string
  readonly isFile: boolean
  /** Bytes of a field so far. */
  readonly held: Buffer[]
  size: number
}

/** Returns the boundary of a form, or undefined for another type. */
export function boundaryOf(contentType: string): string | undefined {
  const found = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType)
  return found?.[1] ?? found?.[2]
}

/** Reads `multipart/form-data` (RFC 7578) piece by piece. Holds one piece and one boundary. */
export async function readForm(body: AsyncIterable<Buffer>, boundary: string, sink: FormSink): Promise<void> {
  const mark = Buffer.from(`\r\n--${boundary}`)
  // The first boundary has no line end before it.
  let held: Buffer = Buffer.from('\r\n')
  let part: Part | undefined
  let isBegun = false
  for await (const piece of body) {
    held = Buffer.concat([held, piece])
    for (;;) {
      if (part === undefined) {
        const next = beginPart(held, mark, isBegun)
        if (next === 'end') return
        if (next === 'wait') break
        isBegun = true
        part = next.part
        held = next.rest
        if (part.isFile) sink.onFileBegin(next.head)
      }
      const at = held.indexOf(mark)
      const end = at >= 0 ? at : Math.max(0, held.length - mark.length)
      await take(part, held.subarray(0, end), sink)
      held = held.subarray(end)
      if (at < 0) break
      if (!part.isFile) sink.onField(part.name, Buffer.concat(part.held).toString('utf8'))
      part = undefined
    }
  }
  throw invalid('', 'the form breaks off: its last boundary is missing')
}

async function take(part: Part, bytes: Buffer, sink: FormSink): Promise<void> {
  if (bytes.length === 0) return
  if (part.isFile) return sink.onFile(Buffer.from(bytes))
  part.size += bytes.length
  if (part.size > mostField) throw invalid(part.name, `${part.name} has more than ${mostField} bytes`)
  part.held.push(Buffer.from(bytes))
}

type Begun = {
  readonly part: Part
  readonly rest: Buffer
  readonly head: { readonly filename: string | undefined; readonly type: string | undefined }
}

function beginPart(held: Buffer, mark: Buffer, isBegun: boolean): Begun | 'end' | 'wait' {
  const at = held.indexOf(mark)
  if (at !== 0) {
    if (held.length < mark.length && !isBegun) return 'wait'
    throw invalid('', 'the form does not begin with its boundary')
  }
  const after = held.subarray(mark.length)
  if (after.length >= 2 && after.subarray(0, 2).equals(dashes)) return 'end'
  const end = after.indexOf(blank)
  if (end < 0) {
    if (after.length > mostHead) throw invalid('', 'a part of the form has too long a head')
    return 'wait'
  }
  const head = after.subarray(0, end).toString('utf8')
  const name = /name="([^"]*)"/i.exec(head.replace(/filename="[^"]*"/i, ''))?.[1] ?? ''
  const filename = /filename="([^"]*)"/i.exec(head)?.[1]
  const type = /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1]?.trim().toLowerCase()
  const part = { name, isFile: filename !== undefined || name === 'file', held: [], size: 0 }
  return { part, rest: after.subarray(end + blank.length), head: { filename, type } }
}
