/** The data of a Server-Sent Events message; undefined for a keep-alive. */
export type Part = string | undefined

/** A line ends with CRLF, LF or CR. A last CR is left: the LF after it may be in the next chunk. */
const lineEnds = /\r\n|\r(?!$)/g

/** Yields the data of each message as it arrives. */
export async function* readParts(body: ReadableStream<Uint8Array>): AsyncGenerator<Part, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      text = (text + decoder.decode(value, { stream: true })).replace(lineEnds, '\n')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) yield dataOf(block)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function dataOf(block: string): Part {
  const lines = block.split('\n').filter(line => line.startsWith('data:'))
  if (lines.length === 0) return undefined
  return lines.map(line => line.slice(5).replace(/^ /, '')).join('\n')
}
