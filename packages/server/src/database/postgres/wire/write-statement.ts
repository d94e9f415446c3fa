import { front } from './messages.ts'
import type { WireWriter } from './writer.ts'

const statement = 'S'.charCodeAt(0)
const portal = 'P'.charCodeAt(0)

export type Value = string | Uint8Array | null

export function writeParse(out: WireWriter, name: string, text: string, types: readonly number[]): void {
  out.begin(front.parse)
  out.text(name)
  out.text(text)
  out.int16(types.length)
  for (const type of types) out.int32(type)
  out.finish()
}

export function writeDescribe(out: WireWriter, name: string): void {
  writeNamed(out, front.describe, statement, name)
}

export function writeClose(out: WireWriter, name: string): void {
  writeNamed(out, front.close, statement, name)
}

function writeNamed(out: WireWriter, type: number, kind: number, name: string): void {
  out.begin(type)
  out.byte(kind)
  out.text(name)
  out.finish()
}

/** Binds values to a statement and runs it. Rows are returned as text. */
export function writeRun(out: WireWriter, name: string, values: readonly Value[], describe: boolean): void {
  out.begin(front.bind)
  out.text('')
  out.text(name)
  out.int16(values.length)
  for (const value of values) out.int16(value instanceof Uint8Array ? 1 : 0)
  out.int16(values.length)
  for (const value of values) out.value(value)
  out.int16(0)
  out.finish()
  if (describe) writeNamed(out, front.describe, portal, '')
  out.begin(front.execute)
  out.text('')
  out.int32(0)
  out.finish()
}

/** Writes a simple-protocol query, which may contain several statements. */
export function writeQuery(out: WireWriter, text: string): void {
  out.begin(front.query)
  out.text(text)
  out.finish()
}

export function writeSync(out: WireWriter): void {
  out.plain(front.sync)
}
