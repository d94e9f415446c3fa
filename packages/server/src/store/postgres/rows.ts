import { type Parse, parserOf } from './types.ts'
import { readText } from './wire-reader.ts'

export interface Column {
  readonly name: string
  readonly parse: Parse | undefined
}

export type Row = Record<string, unknown>

/** The columns of a RowDescription. */
export function readColumns(data: Buffer, start: number): Column[] {
  const columns: Column[] = []
  let at = start + 2
  for (let left = data.readUInt16BE(start); left > 0; left--) {
    const name = readText(data, at)
    at += Buffer.byteLength(name) + 1
    columns.push({ name, parse: parserOf(data.readUInt32BE(at + 6)) })
    at += 18
  }
  return columns
}

/** The types of a ParameterDescription. */
export function readTypes(data: Buffer, start: number): number[] {
  return Array.from({ length: data.readUInt16BE(start) }, (_, index) =>
    data.readUInt32BE(start + 2 + index * 4),
  )
}

export function readRow(data: Buffer, start: number, columns: readonly Column[]): Row {
  const row: Row = {}
  let at = start + 2
  for (const { name, parse } of columns) {
    const length = data.readInt32BE(at)
    at += 4
    if (length < 0) {
      row[name] = null
      continue
    }
    const text = data.toString('utf8', at, at + length)
    row[name] = parse ? parse(text) : text
    at += length
  }
  return row
}
