import { type MatchedHead, readTable, type TableFormat } from '@gatehouse-access/api'
import { EncodingFinder } from '@gatehouse-access/core'
import type { ImportedKind } from './kinds.ts'

/** What the beginning of a file shows. */
export interface Look {
  readonly file: File
  readonly format: TableFormat
  readonly columns: readonly string[]
  readonly head: MatchedHead | undefined
  /** The first values of each column that are not empty. */
  readonly samples: readonly (readonly string[])[]
}

const lookedAt = 64 * 1024
const shownSamples = 3

/** Reads the beginning of a file as the service will read all of it. */
export async function lookAtFile(file: File, kind: ImportedKind): Promise<Look> {
  const format: TableFormat = /\.(ndjson|jsonl)$/i.test(file.name) ? 'ndjson' : 'csv'
  const bytes = new Uint8Array(await file.slice(0, lookedAt).arrayBuffer())
  const finder = new EncodingFinder()
  finder.read(bytes)
  // The last character may be cut in two, which is no reason to take UTF-8 for something else.
  const whole = new EncodingFinder()
  whole.read(bytes.subarray(0, Math.max(0, bytes.length - 4)))
  const encoding = finder.encoding === 'windows-1252' ? whole.encoding : finder.encoding
  const table = readTable(format, { kind })
  const text = new TextDecoder(encoding).decode(bytes)
  const rows = [...table.read(text), ...(file.size <= lookedAt ? table.end() : [])]
  const samples = table.columns.map((_, column) => {
    const values = rows.map(row => row.written[column] ?? '').filter(value => value.trim() !== '')
    return [...new Set(values)].slice(0, shownSamples)
  })
  return { file, format, columns: table.columns, head: table.head, samples }
}
