import { malformed } from './errors.ts'
import { endOfText } from './reader.ts'
import { type Parse, parserOf } from './types.ts'

export interface Column {
  readonly name: string
  readonly parse: Parse | undefined
}

export type Row = Record<string, unknown>

/** Reads the columns of a RowDescription. */
export function readColumns(data: Buffer, start: number, end: number): Column[] {
  const columns: Column[] = []
  let at = start + 2
  for (let left = data.readUInt16BE(start); left > 0; left--) {
    const zero = endOfText(data, at, end)
    columns.push({ name: data.toString('utf8', at, zero), parse: parserOf(data.readUInt32BE(zero + 7)) })
    at = zero + 19
  }
  if (at !== end) throw malformed('the columns do not fill their message')
  return columns
}

/** Reads the types of a ParameterDescription. */
export function readTypes(data: Buffer, start: number, end: number): number[] {
  const length = data.readUInt16BE(start)
  if (start + 2 + length * 4 !== end) throw malformed('the types do not fill their message')
  return Array.from({ length }, (_, index) => data.readUInt32BE(start + 2 + index * 4))
}

export function readRow(data: Buffer, start: number, end: number, columns: readonly Column[]): Row {
  const row: Row = {}
  if (data.readUInt16BE(start) !== columns.length) throw malformed('a row has other columns than were told')
  let at = start + 2
  for (const { name, parse } of columns) {
    const length = data.readInt32BE(at)
    at += 4
    if (length < 0) {
      row[name] = null
      continue
    }
    if (at + length > end) throw malformed('a value is longer than its row')
    const text = data.toString('utf8', at, at + length)
    row[name] = parse ? parse(text) : text
    at += length
  }
  if (at !== end) throw malformed('a row does not fill its message')
  return row
}
